import { Button, Group, PasswordInput } from '@mantine/core';
import { isApiError } from '~/api/error';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { refusedFields } from '~/ui/FormError';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';

interface PasswordStepProps<R> {
  action: string;
  send: (password: string) => Promise<R>;
  onDone: (answer: R) => void;
  onCancel?: (() => void) | undefined;
}

/** Asks for the password, which proves who asks, and does something with it. */
export function PasswordStep<R>({ action, send, onDone, onCancel }: PasswordStepProps<R>) {
  const me = useMe();
  const form = useRecordForm({
    stored: { password: '' },
    isValid: ({ password }) => password !== '',
    withSaveShortcut: false,
    save: ({ password }) => send(password),
    onSaved: onDone,
    errorsOf: (error) => (isApiError(error, 'invalid_password') ? { password: error.message, ...error.fields } : refusedFields(error)),
  });
  return (
    <RecordForm form={form} shown={['password']}>
      <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
      <PasswordInput
        label={t('profile.password.old')}
        {...form.getInputProps('password')}
        aria-invalid={form.errors.password !== undefined}
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': t('users.password.show'), tabIndex: 0 }}
        required
        data-autofocus
      />
      <Group justify="flex-end">
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('general.cancel')}
          </Button>
        )}
        <SubmitButton form={form}>{action}</SubmitButton>
      </Group>
    </RecordForm>
  );
}
