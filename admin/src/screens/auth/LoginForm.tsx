import { Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import type { Me } from '~/api/schema';
import { t } from '~/i18n';
import { passwordToggleProps } from './showPassword';
import { RefusedAlert } from './RefusedAlert';
import { useCountdown } from '~/ui/useCountdown';

interface LoginFormProps {
  /** The most likely user name. */
  username?: string;
  onDone: (me: Me) => void;
}

/** Asks who it is. What was wrong with the answer is told without telling which names exist. */
export function LoginForm({ username: known = '', onDone }: LoginFormProps) {
  const [username, setUsername] = useState(known);
  const [password, setPassword] = useState('');
  const [remember, setRemember] = useState(false);
  /** The code of the second factor; nothing as long as the server has not asked for it. */
  const [code, setCode] = useState<string>();
  const [missing, setMissing] = useState<{ username?: string; password?: string; code?: string }>({});
  const [wait, startWait] = useCountdown();
  const nameField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const codeField = useRef<HTMLInputElement>(null);
  const login = useMutation({
    mutationFn: async () =>
      (await call(api.POST('/admin/api/login', { body: { username: username.trim(), password, remember, ...(code && { code }) } }))).data,
    onSuccess: onDone,
    onError: (error) => {
      if (isApiError(error, 'rate_limited')) startWait(error.refusal.retry_after ?? 30);
      if (isApiError(error, 'second_factor_required')) {
        setCode('');
        return;
      }
      if (code !== undefined && !isApiError(error, 'invalid_credentials')) {
        codeField.current?.select();
        return;
      }
      setCode(undefined);
      passwordField.current?.focus();
      passwordField.current?.select();
    },
  });
  useEffect(() => {
    if (known === '') nameField.current?.focus();
  }, [known]);
  const asksForCode = code !== undefined;
  useEffect(() => {
    if (asksForCode) codeField.current?.focus();
  }, [asksForCode]);
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (login.isPending || wait > 0) return;
    const name = username.trim() === '' ? { username: t('auth.required') } : {};
    const secret = password === '' ? { password: t('auth.required') } : {};
    const digits = code?.trim() === '' ? { code: t('auth.required') } : {};
    setMissing({ ...name, ...secret, ...digits });
    if (digits.code) codeField.current?.focus();
    else if (name.username) nameField.current?.focus();
    else if (secret.password) passwordField.current?.focus();
    else login.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {login.isError && !login.isPending && !isApiError(login.error, 'second_factor_required') && <RefusedAlert error={login.error} text={loginRefusal(login.error, wait)} />}
        {asksForCode && (
          <TextInput
            ref={codeField}
            label={t('auth.code')}
            description={t('auth.codeHint')}
            name="code"
            autoComplete="one-time-code"
            autoCapitalize="none"
            spellCheck={false}
            value={code}
            error={missing.code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        <TextInput
          display={asksForCode ? 'none' : undefined}
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
          display={asksForCode ? 'none' : undefined}
          ref={passwordField}
          label={t('auth.password')}
          name="password"
          autoComplete="current-password"
          value={password}
          error={missing.password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          visibilityToggleButtonProps={passwordToggleProps()}
          data-autofocus={known !== '' || undefined}
        />
        <Checkbox
          display={asksForCode ? 'none' : undefined}
          label={t('auth.remember')}
          description={t('auth.rememberHint')}
          checked={remember}
          onChange={(event) => setRemember(event.currentTarget.checked)}
        />
        <Button type="submit" size="md" fullWidth loading={login.isPending} disabled={wait > 0}>
          {wait > 0 ? t('auth.waitSeconds', { count: wait }) : t('auth.logIn')}
        </Button>
        {asksForCode && (
          <Button
            variant="subtle"
            onClick={() => {
              setCode(undefined);
              login.reset();
            }}
          >
            {t('auth.codeBack')}
          </Button>
        )}
      </Stack>
    </form>
  );
}

/** Returns a text for the errors that only a login has. */
function loginRefusal(error: unknown, wait: number): string | undefined {
  if (isApiError(error, 'invalid_credentials')) return t('auth.wrong');
  if (isApiError(error, 'invalid_code')) return t('auth.codeWrong');
  return isApiError(error, 'rate_limited') ? t(wait > 0 ? 'auth.tooMany' : 'auth.tryNow') : undefined;
}
