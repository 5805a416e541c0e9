import { Text, Textarea } from '@mantine/core';
import { refreshChanges } from '~/api/changes/queries';
import { askForReview, endReview } from '~/api/changes/requests';
import type { Change } from '~/api/schema';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import { useWorkspace } from '~/workspace';

interface ReviewNoteProps {
  change: Change;
  /** `review` asks for a review, `return` for more work. */
  to: 'review' | 'return';
  onClose: () => void;
}

const BEGIN = { note: '' };

/** Sends a change into its review or back, with a word about it. */
export function ReviewNote({ change, to, onClose }: ReviewNoteProps) {
  const workspace = useWorkspace();
  const form = useRecordForm({
    stored: BEGIN,
    allowUnchanged: true,
    save: ({ note }) => (to === 'review' ? askForReview(change.id, note) : endReview(change.id, note)),
    onSaved: async () => {
      showDone(t(to === 'review' ? 'changes.done.review' : 'changes.done.reopen'));
      await refreshChanges(workspace);
      onClose();
    },
  });
  return (
    <RecordForm form={form}>
      <Text size="sm">{t(to === 'review' ? 'changes.reviewBody' : 'changes.returnBody')}</Text>
      <Textarea label={t('changes.reviewNote')} {...form.getInputProps('note')} autosize minRows={3} data-autofocus />
      <FormFooter form={form} submitLabel={t(to === 'review' ? 'changes.askForReview' : 'changes.askForWork')} onClose={onClose} />
    </RecordForm>
  );
}
