import { ActionIcon, Input, Text, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { BlockPreset } from '~/api/fields';
import { t } from '~/i18n';
import { useBuilder } from '../builder-context';
import { defectOf } from '../draft/defects';
import type { DraftField } from '../draft/draft';
import { setDefinition } from '../draft/edit';
import classes from '../types.module.css';

/** The presets of a blocks field: their names. What they contain is made while writing an entry. */
export function PresetsSetting({ field }: { field: DraftField }) {
  const { change, defects, readOnly } = useBuilder();
  const presets = field.definition.presets ?? [];
  if (presets.length === 0) return null;
  const apply = (next: readonly BlockPreset[]) =>
    change((it) => setDefinition(it, field.uid, { presets: next.length === 0 ? undefined : next }));
  return (
    <Input.Wrapper label={t('types.set.presets')} labelElement="div" description={t('types.presetsHint')} error={defectOf(defects, field.uid, 'presets')}>
      <ul className={classes.options} aria-label={t('types.set.presets')}>
        {presets.map((preset, index) => (
          <li key={index} className={classes.option}>
            <TextInput
              flex={1}
              value={preset.label}
              readOnly={readOnly}
              aria-label={t('types.presetName', { place: index + 1 })}
              onChange={(event) => apply(presets.with(index, { ...preset, label: event.currentTarget.value }))}
            />
            <Text size="sm" c="dimmed">
              {t('types.presetBlocks', { count: preset.rows.length })}
            </Text>
            {!readOnly && (
              <ActionIcon onClick={() => apply(presets.toSpliced(index, 1))} aria-label={t('types.removePreset', { name: preset.label })}>
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
    </Input.Wrapper>
  );
}
