import { Alert, Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import type { Me } from '~/api/schema';
import { t } from '~/i18n';
import { showPassword } from './showPassword';
import { useCountdown } from './useCountdown';

interface LoginFormProps {
  /** Who it most likely is. */
  username?: string;
  onDone: (me: Me) => void;
}

/** Asks who it is. What was wrong with the answer is told without telling which names exist. */
export function LoginForm({ username: known = '', onDone }: LoginFormProps) {
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  const [missing, setMissing] = useState<{ username?: string; password?: string }>({});
  const [wait, startWait] = useCountdown();
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const login = useMutation({
    mutationFn: async () =>
      (await call(api.POST('/admin/api/login', { body: { username: username.trim(), password, remember } }))).data,
    onSuccess: onDone,
    onError: (error) => {
      if (isApiError(error, 'rate_limited')) startWait(error.refusal.retry_after ?? 30);
      passwordField.current?.focus();
      passwordField.current?.select();
    },
  });
  useEffect(() => {
    if (known === '') nameField.current?.focus();
  }, [known]);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (login.isPending || wait > 0) return;
    const name = username.trim() === '' ? { username: t('auth.required') } : {};
    const secret = password === '' ? { password: t('auth.required') } : {};
    setMissing({ ...name, ...secret });
    if (name.username) nameField.current?.focus();
    else if (secret.password) passwordField.current?.focus();
    else login.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {login.isError && !login.isPending && <Refused error={login.error} wait={wait} />}
        <TextInput
          ref={nameField}
          label={t('auth.username')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          error={missing.username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          data-autofocus={known === '' || undefined}
        />
        <PasswordInput
          ref={passwordField}
          label={t('auth.password')}
          name="password"
          autoComplete="current-password"
          value={password}
          error={missing.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={showPassword()}
          data-autofocus={known !== '' || undefined}
        />
        <Checkbox
          label={t('auth.remember')}
          description={t('auth.rememberHint')}
          checked={remember}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        <Button type="submit" size="md" fullWidth loading={login.isPending} disabled={wait > 0}>
          {wait > 0 ? t('auth.waitSeconds', { count: wait }) : t('auth.logIn')}
        </Button>
      </Stack>
    </form>
  );
}

/** Why the login came to nothing. */
function Refused({ error, wait }: { error: unknown; wait: number }) {
  const text = isApiError(error, 'invalid_credentials')
    ? t('auth.wrong')
    : isApiError(error, 'rate_limited')
      ? wait > 0
        ? t('auth.tooMany')
        : t('auth.tryNow')
      : isApiError(error, 'offline')
        ? t('general.offline')
        : error instanceof Error
          ? error.message
          : t('general.failed');
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertCircle size={18} aria-hidden />}>
      {text}
    </Alert>
  );
}
