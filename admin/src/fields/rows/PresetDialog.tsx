import { Button, Group, Modal, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Preset } from '~/api/fields';
import { t } from '~/i18n';
import { Refused, showDone, showError } from '~/ui/feedback';
import { useReturnFocus } from '~/ui/return-focus';
import type { FieldContext } from '../types';
import { type DefinitionPath, presetRows } from './presets';
import { FieldGone, savePreset } from './save-preset';

interface PresetDialogProps {
  rows: readonly unknown[];
  /** The names that presets of the field have already. */
  taken: readonly string[];
  path: DefinitionPath;
  context: FieldContext;
  onClose: () => void;
}

/** Asks for the name of a preset and keeps some blocks as one, for everybody who writes in this type. */
export function PresetDialog({ rows, taken, path, context, onClose }: PresetDialogProps) {
  useReturnFocus();
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const label = name.trim();
  const isTaken = taken.includes(label);
  const save = async () => {
    const preset: Preset = { label, rows: presetRows(rows) };
    setBusy(true);
    try {
      await savePreset(context.workspace, context.type, path, preset);
      showDone(t('fields.rows.preset.saved', { name: label }));
      onClose();
    } catch (error) {
      showError(error instanceof FieldGone ? new Refused(t('fields.rows.preset.gone')) : error);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t('fields.rows.preset.title', { count: rows.length })} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          if (label && !isTaken && !busy) void save();
        }}
      >
        <Text size="sm" mb="md">
          {t('fields.rows.preset.about')}
        </Text>
        <TextInput
          label={t('fields.rows.preset.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isTaken && t('fields.rows.preset.taken')}
          maxLength={100}
          autoComplete="off"
          data-autofocus
        />
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={onClose}>
            {t('general.cancel')}
          </Button>
          <Button type="submit" loading={busy} aria-disabled={!label || isTaken || undefined}>
            {t('general.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
