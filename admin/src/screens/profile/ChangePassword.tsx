import { Button, Card, Group, PasswordInput, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import { remember, useMe } from '~/api/session';
import { t } from '~/i18n';
import { PasswordField } from '~/screens/users/PasswordField';
import { showDone } from '~/ui/feedback';
import { FormError, refusedFields } from '~/ui/FormError';

/** Changes one's own password; the old one proves who asks. */
export function ChangePassword() {
  const me = useMe();
  const [old_password, setOld] = useState('');
  const [password, setPassword] = useState('');
  const change = useMutation({
    mutationFn: async () => remember((await call(api.PUT('/admin/api/profile', { body: { password, old_password } }))).data),
    onSuccess: () => {
      setOld('');
      setPassword('');
      showDone(t('profile.password.changed'));
      void queryClient.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const errors = refusedFields(change.error);
  const wrong = errors.old_password ?? (isApiError(change.error, 'invalid_password') ? change.error.message : undefined);
  return (
    <Card>
      <Title order={2} size="h3" mb="md">
        {t('profile.password')}
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!change.isPending) change.mutate();
        }}
      >
        <Stack gap="md">
          <input type="text" name="username" autoComplete="username" value={me.username} readOnly hidden />
          {!wrong && <FormError error={change.error} shown={['old_password', 'password']} />}
          <PasswordInput
            label={t('profile.password.old')}
            value={old_password}
            onChange={(event) => setOld(event.currentTarget.value)}
            error={wrong}
            aria-invalid={wrong !== undefined}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('users.password.show'), tabIndex: 0 }}
            required
          />
          <PasswordField
            label={t('profile.password.new')}
            description={t('profile.password.newHint')}
            value={password}
            onChange={setPassword}
            error={errors.password}
            required
          />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={change.isPending} disabled={old_password === '' || password === ''}>
              {t('profile.password.change')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
