import { Button, Code, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, call } from '~/api/client';
import { ApiError, isApiError } from '~/api/error';
import type { Me } from '~/api/schema';
import { t } from '~/i18n';
import { PasswordStrength } from './PasswordStrength';
import { RefusedAlert } from './RefusedAlert';
import { checkSetup, SETUP_FIELDS, setupBody, type SetupField, type SetupValues } from './setup-values';
import { passwordToggleProps } from './showPassword';
import { estimateStrength } from './strength';

interface SetupFormProps {
  /** From the link that the server printed. */
  token: string;
  onDone: (me: Me) => void;
  /** Somebody was faster. */
  onSetUp: () => void;
}

export function SetupForm({ token, onDone, onSetUp }: SetupFormProps) {
  const [values, setValues] = useState<SetupValues>({
    workspace: '', username: '', display_name: '', password: '', setup_token: token,
  });
  const [wrong, setWrong] = useState<Partial<Record<SetupField, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const setup = useMutation({
    mutationFn: async () => (await call(api.POST('/admin/api/setup', { body: setupBody(values) }))).data,
    onSuccess: onDone,
    onError: (error) => {
      if (isApiError(error, 'already_set_up')) onSetUp();
      else if (error instanceof ApiError) setWrong(error.fields);
    },
  });
  // Only where the server does not take us for somebody at the machine itself.
  const asksForToken = isApiError(setup.error, 'forbidden');
  // Inputs say themselves what is wrong with their values.
  const isRefused = setup.isError && !(setup.error instanceof ApiError && Object.keys(setup.error.fields).length > 0);
  useEffect(() => {
    form.current?.querySelector('input')?.focus();
  }, []);
  useEffect(() => {
    const first = SETUP_FIELDS.find((it) => wrong[it]) ?? (asksForToken ? 'setup_token' : undefined);
    if (first) form.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  }, [wrong, asksForToken]);
  const bind = (name: SetupField) => ({
    name,
    value: values[name],
    error: wrong[name],
    onChange: (event: React.ChangeEvent<HTMLInputElement>) => {
      const { value } = event.currentTarget;
      setValues((before) => ({ ...before, [name]: value }));
    },
  });
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (setup.isPending) return;
    const flaws = Object.entries(checkSetup(values));
    setWrong(Object.fromEntries(flaws.map(([field, key]) => [field, t(key)])));
    if (flaws.length === 0) setup.mutate();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md">
        {isRefused && (
          <RefusedAlert error={setup.error} text={asksForToken ? t(values.setup_token ? 'auth.tokenWrong' : 'auth.tokenNeeded') : undefined} />
        )}
        {asksForToken && (
          <TextInput {...bind('setup_token')} label={t('auth.token')} description={t('auth.tokenHint')} autoComplete="off" spellCheck={false} />
        )}
        <TextInput
          {...bind('workspace')}
          label={t('auth.workspace')}
          placeholder={t('auth.workspaceExample')}
          description={
            <>
              {t('auth.workspaceHint')} <Code fz="inherit">default</Code>
            </>
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={100}
          autoComplete="organization"
        />
        <TextInput
          {...bind('username')}
          label={t('auth.username')}
          description={t('auth.usernameHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextInput {...bind('display_name')} label={t('auth.displayName')} autoComplete="name" />
        <div>
          <PasswordInput
            {...bind('password')}
            label={t('auth.password')}
            required
            autoComplete="new-password"
            visibilityToggleButtonProps={passwordToggleProps()}
          />
          <PasswordStrength value={estimateStrength(values.password, [values.username, values.workspace])} />
        </div>
        <Button type="submit" size="md" fullWidth loading={setup.isPending} rightSection={<IconArrowRight size={18} aria-hidden />}>
          {t('auth.begin')}
        </Button>
        <Text size="sm" c="dimmed" ta="center">
          {t('auth.sample')}
        </Text>
      </Stack>
    </form>
  );
}
