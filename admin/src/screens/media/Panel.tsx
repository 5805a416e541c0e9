import { Button, Divider, Group, Input, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useId, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { CategorySelect } from '~/media/CategorySelect';
import { useFileDrop } from '~/media/useFileDrop';
import { moveFiles, setVisibility } from './actions';
import { Facts } from './Facts';
import { Framing } from '~/media/framing/Framing';
import { MetaForm } from './MetaForm';
import { Preview } from './Preview';
import { useReplacement } from '~/media/replacement';
import { RenameDialog } from './RenameDialog';
import { ReplaceButton } from './ReplaceButton';
import { Revisions } from './Revisions';
import type { MediaScreen } from './useMediaScreen';
import { Usages } from './Usages';
import classes from './Media.module.css';

interface PanelProps {
  screen: MediaScreen;
  item: MediaItem;
  categories: readonly string[];
  onDelete: () => void;
}

/** All about one file, and all that can be done to it. */
export function Panel({ screen, item, categories, onDelete }: PanelProps) {
  const { workspace } = screen;
  const can = useCan();
  const [renaming, setRenaming] = useState(false);
  const mayUpdate = can('media.update', 'media:*');
  const mayDelete = can('media.delete', 'media:*');
  const mayReplace = can('media.update', `media:${item.filename}`) && can('media.upload', `media:${item.filename}`);
  const replacement = useReplacement(workspace, item);
  const drop = useFileDrop(replacement.replace, mayReplace && !replacement.isSending);
  return (
    <Stack gap="md" className={classes.content} data-over={drop.over || undefined} {...drop.events}>
      <Preview item={item} />
      {mayReplace && <ReplaceButton item={item} replacement={replacement} over={drop.over} />}
      <MetaForm workspace={workspace} item={item} readOnly={!mayUpdate} />
      {mayUpdate && item.thumb_path && <Framing key={item.filename} workspace={workspace} item={item} />}
      <CategorySelect
        label={t('media.category')}
        categories={categories}
        value={item.category}
        disabled={!mayUpdate}
        onChange={(category) => moveFiles(workspace, [item], category ?? '')}
      />
      <Visibility
        item={item}
        disabled={!mayUpdate}
        onChange={(visibility) => setVisibility(workspace, [item], visibility)}
      />
      <Divider />
      <Facts workspace={workspace} item={item} />
      <Divider />
      <Usages workspace={workspace} filename={item.filename} />
      {mayReplace && <Revisions workspace={workspace} filename={item.filename} />}
      {(mayUpdate || mayDelete) && (
        <Group gap="xs" grow preventGrowOverflow={false}>
          {mayUpdate && (
            <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setRenaming(true)}>
              {t('media.rename')}
            </Button>
          )}
          {mayDelete && (
            <Button variant="default" c="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete}>
              {t('general.delete')}
            </Button>
          )}
        </Group>
      )}
      <RenameDialog screen={screen} item={item} opened={renaming} onClose={() => setRenaming(false)} />
    </Stack>
  );
}

interface VisibilityProps {
  item: MediaItem;
  disabled: boolean;
  onChange: (visibility: MediaItem['visibility']) => void;
}

/** The visibility of the file, and its meaning. */
function Visibility({ item, disabled, onChange }: VisibilityProps) {
  const label = useId();
  const hint = useId();
  return (
    <div>
      <Input.Label labelElement="div" id={label}>
        {t('media.visibility')}
      </Input.Label>
      <SegmentedControl
        fullWidth
        aria-labelledby={label}
        aria-describedby={hint}
        value={item.visibility}
        disabled={disabled}
        onChange={(value) => onChange(value === 'private' ? 'private' : 'public')}
        data={[
          { value: 'public', label: t('media.public') },
          { value: 'private', label: t('media.private') },
        ]}
      />
      <Text id={hint} size="xs" c="dimmed" mt={4}>
        {t(`media.${item.visibility}Hint`)}
      </Text>
    </div>
  );
}
