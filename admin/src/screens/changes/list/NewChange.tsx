import { Textarea, TextInput } from '@mantine/core';
import { refreshChanges } from '~/api/changes/queries';
import { createChange } from '~/api/changes/requests';
import type { Change } from '~/api/schema';
import { t } from '~/i18n';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { useWorkspace } from '~/workspace';

interface NewChangeProps {
  onCreated: (change: Change) => void;
  onClose: () => void;
}

const BEGIN = { label: '', note: '' };

/** Begins a change. */
export function NewChange({ onCreated, onClose }: NewChangeProps) {
  const workspace = useWorkspace();
  const form = useRecordForm({
    stored: BEGIN,
    save: (values) => createChange(values),
    onSaved: async (made) => {
      await refreshChanges(workspace);
      onCreated(made);
    },
  });
  return (
    <RecordForm form={form}>
      <TextInput
        label={t('changes.label')}
        description={t('changes.labelHint')}
        {...form.getInputProps('label')}
        required
        autoComplete="off"
        data-autofocus
      />
      <Textarea label={t('changes.note')} description={t('changes.noteHint')} {...form.getInputProps('note')} autosize minRows={3} />
      <FormFooter form={form} submitLabel={t('general.create')} onClose={onClose} />
    </RecordForm>
  );
}
