import { ActionIcon, Box, Text, TextInput, Title } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { fieldLabel, type Preset } from '~/api/fields';
import { presetsOf } from '~/fields/rows/rows';
import { blockType } from '~/fields/shape';
import { formatList, t } from '~/i18n';
import { showUndo } from '~/ui/feedback';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import { type DraftField, newUid } from '../draft/draft';
import { nodeLabel, setDefinition } from '../draft/edit';
import { moveKeys, Sortable, useSortableItem } from '../Sortable';
import classes from '../types.module.css';

interface Item {
  uid: string;
  preset: Preset;
}

/** The presets of a field for blocks: their names and their order. Their blocks come from an entry. */
export function PresetsEditor({ field }: { field: DraftField }) {
  const { change, readOnly } = useBuilder();
  const presets = presetsOf(field.definition);
  const [items, setItems] = useState<readonly Item[]>([]);
  // Presets have no names that stay, so the list knows them by their place, and follows what changes elsewhere.
  const shown = items.length === presets.length && items.every((it, at) => it.preset === presets[at]) ? items : presets.map((preset) => ({ uid: newUid(), preset }));
  if (shown !== items) setItems(shown);
  const apply = (next: readonly Item[]) => {
    setItems(next);
    const written = next.map((it) => it.preset);
    change((it) => setDefinition(it, field.uid, { presets: written.length > 0 ? written : undefined }));
  };
  const move = (uid: string, to: number) => {
    const item = shown.find((it) => it.uid === uid);
    if (item && to >= 0 && to < shown.length) apply(shown.filter((it) => it !== item).toSpliced(to, 0, item));
  };
  const remove = (index: number) => {
    const before = shown;
    apply(shown.toSpliced(index, 1));
    showUndo(t('types.fieldRemoved', { field: shown[index]?.preset.label ?? '' }), async () => apply(before));
  };
  return (
    <Box mt="lg">
      <Title order={3} size="h4">
        {t('types.presets')}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {t('types.presetsHint')}
      </Text>
      {shown.length > 0 && (
        <Sortable ids={shown.map((it) => it.uid)} labelOf={(uid) => shown.find((it) => it.uid === uid)?.preset.label ?? ''} onMove={move}>
          <ol className={classes.options} aria-label={t('types.presets')}>
            {shown.map(({ uid, preset }, index) => (
              <PresetRow
                key={uid}
                uid={uid}
                preset={preset}
                field={field}
                index={index}
                readOnly={readOnly}
                onChange={(next) => apply(shown.with(index, { uid, preset: next }))}
                onMove={(to) => move(uid, to)}
                onRemove={() => remove(index)}
              />
            ))}
          </ol>
        </Sortable>
      )}
    </Box>
  );
}

interface PresetRowProps {
  uid: string;
  preset: Preset;
  field: DraftField;
  index: number;
  readOnly: boolean;
  onChange: (preset: Preset) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function PresetRow({ uid, preset, field, index, readOnly, onChange, onMove, onRemove }: PresetRowProps) {
  const { defects } = useBuilder();
  const keys = readOnly ? undefined : moveKeys(index, onMove);
  const { item, handle } = useSortableItem(uid, preset.label, readOnly, keys);
  const label = (type: string | undefined) => {
    const block = field.blocks.find((it) => it.key === type);
    return block ? nodeLabel(block) : fieldLabel(type ?? '?', undefined);
  };
  const unknown = preset.rows.some((row) => !field.blocks.some((it) => it.key === blockType(row)));
  return (
    <li {...item} className={classes.option}>
      {handle}
      <TextInput
        flex={1}
        value={preset.label}
        onChange={(event) => onChange({ ...preset, label: event.currentTarget.value })}
        onKeyDown={keys}
        description={formatList(preset.rows.map((row) => label(blockType(row))))}
        inputWrapperOrder={['input', 'description', 'error']}
        error={unknown ? t('types.presetUnknown') : preset.label.trim() === '' ? t('types.defect.missing') : defectOf(defects, field.uid, `presets[${index}]`)}
        aria-label={t('types.presetName', { place: index + 1 })}
        readOnly={readOnly}
      />
      {!readOnly && (
        <ActionIcon onClick={onRemove} aria-label={t('types.removeNamed', { name: preset.label })}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
}
