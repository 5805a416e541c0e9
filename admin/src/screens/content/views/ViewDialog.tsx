import { Modal, Switch, TextInput } from '@mantine/core';
import { t } from '~/i18n';
import { showError } from '~/ui/feedback';
import { FormFooter, RecordForm } from '~/ui/RecordForm';
import { useReturnFocus } from '~/ui/return-focus';
import { useRecordForm } from '~/ui/useRecordForm';

interface ViewDialogProps {
  title: string;
  name: string | undefined;
  mayShare: boolean;
  onClose: () => void;
  onSave: (name: string, shared: boolean) => Promise<void>;
}

/** Asks for the name of a view, and whether it is for everybody. */
export function ViewDialog({ title, onClose, ...form }: ViewDialogProps) {
  useReturnFocus();
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('general.close') }}>
      <Form {...form} onClose={onClose} />
    </Modal>
  );
}

function Form({ name, mayShare, onClose, onSave }: Omit<ViewDialogProps, 'title'>) {
  const form = useRecordForm({
    stored: { name: name ?? '', shared: false },
    allowUnchanged: true,
    isValid: (values) => values.name.trim() !== '',
    withSaveShortcut: false,
    save: (values) => onSave(values.name.trim(), values.shared),
    onSaved: onClose,
    onError: showError,
  });
  return (
    <RecordForm form={form} withAlert={false} gap={0}>
      <TextInput label={t('content.viewName')} {...form.getInputProps('name')} maxLength={80} autoComplete="off" data-autofocus />
      {mayShare && (
        <Switch
          mt="md"
          label={t('content.shareView')}
          description={t('content.shareViewHint')}
          {...form.getInputProps('shared', { type: 'checkbox' })}
        />
      )}
      <FormFooter form={form} onClose={onClose} gap="xs" mt="lg" />
    </RecordForm>
  );
}
