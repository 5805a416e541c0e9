import { Card, Group, PasswordInput, Title } from '@mantine/core';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import { storeMe, useMe } from '~/api/session';
import { t } from '~/i18n';
import { PasswordField } from '~/screens/users/PasswordField';
import { showDone } from '~/ui/feedback';
import { refusedFields } from '~/ui/FormError';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';

const EMPTY = { old_password: '', password: '' };

/** Changes one's own password; the old one proves who asks. */
export function ChangePassword() {
  const me = useMe();
  const form = useRecordForm({
    stored: EMPTY,
    isValid: ({ old_password, password }) => old_password !== '' && password !== '',
    withSaveShortcut: false,
    save: async (body) => storeMe((await call(api.PUT('/admin/api/profile', { body }))).data),
    settle: () => EMPTY,
    onSaved: () => {
      showDone(t('profile.password.changed'));
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessions });
    },
    errorsOf: (error) => (isApiError(error, 'invalid_password') ? { old_password: error.message, ...error.fields } : refusedFields(error)),
  });
  return (
    <Card>
      <Title order={2} size="h3" mb="md">
        {t('profile.password')}
      </Title>
      <RecordForm form={form}>
        <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
        <PasswordInput
          label={t('profile.password.old')}
          {...form.getInputProps('old_password')}
          aria-invalid={form.errors.old_password !== undefined}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('users.password.show'), tabIndex: 0 }}
          required
        />
        <PasswordField
          label={t('profile.password.new')}
          description={t('profile.password.newHint')}
          {...form.getInputProps('password')}
          required
        />
        <Group justify="flex-end">
          <SubmitButton form={form} variant="default">
            {t('profile.password.change')}
          </SubmitButton>
        </Group>
      </RecordForm>
    </Card>
  );
}
