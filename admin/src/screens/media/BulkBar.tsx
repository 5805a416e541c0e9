import { ActionIcon, Button, Group, Menu, Modal, Paper, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconEye, IconFolderSymlink, IconLock, IconTrash, IconWorld, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { CategorySelect } from '~/media/CategorySelect';
import { lacksAlt } from '~/media/filter';
import { fetchAllMedia } from '~/media/queries';
import { Announce } from '~/ui/Announce';
import { showError } from '~/ui/feedback';
import { moveFiles, setVisibility } from './actions';
import classes from './Media.module.css';
import type { MediaScreen } from './useMediaScreen';
import type { Selection } from './useSelection';

interface BulkBarProps {
  screen: MediaScreen;
  selection: Selection;
  total: number | undefined;
  categories: readonly string[];
  onDelete: (names: string[]) => void;
}

/** The actions on the selected files. */
export function BulkBar(props: BulkBarProps) {
  const count = props.selection.names.size;
  return (
    <>
      <Announce text={count > 0 ? t('media.selected', { count }) : ''} />
      {count > 0 && <Bar {...props} />}
    </>
  );
}

function Bar({ screen, selection, total, categories, onDelete }: BulkBarProps) {
  const { workspace } = screen;
  const can = useCan();
  const [moving, dialog] = useDisclosure(false);
  const count = selection.names.size;
  const mayUpdate = can('media.update', 'media:*');
  return (
    <Paper role="region" aria-label={t('media.selected', { count })} className={classes.bulk} data-selection-bar withBorder shadow="md">
      <Group gap={4} wrap="nowrap">
        <ActionIcon aria-label={t('media.unselect')} onClick={selection.clear}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
        <Text size="sm" fw={600}>
          {t('media.selected', { count })}
        </Text>
        {total !== undefined && count < total && (
          <Button size="compact-sm" variant="subtle" onClick={() => selectAll(screen, selection)}>
            {t('media.selectAll', { count: total })}
          </Button>
        )}
      </Group>
      <Group gap="xs">
        {mayUpdate && (
          <>
            <Button size="xs" variant="default" leftSection={<IconFolderSymlink size={16} aria-hidden />} onClick={dialog.open}>
              {t('media.move')}
            </Button>
            <VisibilityMenu onChoose={(visibility) => setVisibility(workspace, selection.files, visibility)} />
          </>
        )}
        {can('media.delete', 'media:*') && (
          <Button
            size="xs"
            variant="default"
            c="red"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => onDelete([...selection.names])}
          >
            {t('general.delete')}
          </Button>
        )}
      </Group>
      <MoveDialog
        opened={moving}
        onClose={dialog.close}
        count={count}
        categories={categories}
        onMove={(category) => moveFiles(workspace, selection.files, category)}
      />
    </Paper>
  );
}

/** Selects all files that match, also those that are not in the page yet. */
async function selectAll({ filter }: MediaScreen, selection: Selection): Promise<void> {
  const { missingAlt, unused, q, ...rest } = filter;
  try {
    const all = await fetchAllMedia({ ...rest, ...(q && { q }), ...(unused && { unused }) });
    selection.selectAll(missingAlt ? all.filter(lacksAlt) : all);
  } catch (error) {
    showError(error);
  }
}

function VisibilityMenu({ onChoose }: { onChoose: (visibility: MediaItem['visibility']) => void }) {
  return (
    <Menu position="top-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconEye size={16} aria-hidden />}>
          {t('media.visibility')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconWorld size={16} aria-hidden />} onClick={() => onChoose('public')}>
          {t('media.makePublic')}
        </Menu.Item>
        <Menu.Item leftSection={<IconLock size={16} aria-hidden />} onClick={() => onChoose('private')}>
          {t('media.makePrivate')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface MoveDialogProps {
  opened: boolean;
  onClose: () => void;
  count: number;
  categories: readonly string[];
  onMove: (category: string) => Promise<void>;
}

/** Asks for the category that files are put into. */
function MoveDialog({ opened, onClose, count, categories, onMove }: MoveDialogProps) {
  const [category, setCategory] = useState('');
  return (
    <Modal opened={opened} onClose={onClose} title={t('media.moveTitle', { count })} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <CategorySelect
        label={t('media.category')}
        categories={categories}
        value={category}
        onChange={(value) => setCategory(value ?? '')}
      />
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={onClose}>
          {t('general.cancel')}
        </Button>
        <Button
          onClick={() => {
            onClose();
            void onMove(category);
          }}
        >
          {t('media.move')}
        </Button>
      </Group>
    </Modal>
  );
}
