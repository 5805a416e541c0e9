import { Textarea, TextInput } from '@mantine/core';
import { refreshChanges } from '~/api/changes/queries';
import { updateChange } from '~/api/changes/requests';
import type { Change } from '~/api/schema';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { useWorkspace } from '~/workspace';

/** The name and the note of a change. */
export function EditChange({ change, onClose }: { change: Change; onClose: () => void }) {
  const workspace = useWorkspace();
  const form = useRecordForm({
    stored: { label: change.label, note: change.note },
    save: (_, changed) => updateChange(change.id, changed),
    onSaved: async () => {
      showDone(t('changes.done.save'));
      await refreshChanges(workspace);
      onClose();
    },
  });
  return (
    <RecordForm form={form}>
      <TextInput label={t('changes.label')} {...form.getInputProps('label')} required autoComplete="off" data-autofocus />
      <Textarea label={t('changes.note')} {...form.getInputProps('note')} autosize minRows={3} />
      <FormFooter form={form} onClose={onClose} />
    </RecordForm>
  );
}
