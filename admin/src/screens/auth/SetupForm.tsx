import { Button, Code, PasswordInput, Radio, Stack, TextInput } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { api, call } from '~/api/client';
import { ApiError, isApiError } from '~/api/error';
import type { Me } from '~/api/schema';
import { t } from '~/i18n';
import { RecordForm } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
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

/** Asks for the first user and the name of the first workspace. */
export function SetupForm({ token, onDone, onSetUp }: SetupFormProps) {
  const [stored] = useState<SetupValues>({ workspace: '', username: '', display_name: '', password: '', setup_token: token, samples: 'yes' });
  const form = useRecordForm({
    stored,
    allowUnchanged: true,
    withSaveShortcut: false,
    check: (values) => Object.fromEntries(Object.entries(checkSetup(values)).map(([field, key]) => [field, t(key)])),
    save: async (values) => (await call(api.POST('/admin/api/setup', { body: setupBody(values) }))).data,
    onSaved: onDone,
    onError: (error) => {
      if (isApiError(error, 'already_set_up')) onSetUp();
    },
  });
  const { values, error, errors } = form;
  // Only where the server does not take us for somebody at the machine itself.
  const asksForToken = isApiError(error, 'forbidden');
  // Inputs show what is wrong with their own values.
  const isRefused = error !== null && !(error instanceof ApiError && Object.keys(error.fields).length > 0);
  const frame = useRef<HTMLFormElement>(null);
  useEffect(() => {
    frame.current?.querySelector('input')?.focus();
  }, []);
  useEffect(() => {
    const first = SETUP_FIELDS.find((it) => errors[it]) ?? (asksForToken ? 'setup_token' : undefined);
    if (first) frame.current?.querySelector<HTMLInputElement>(`[name="${first}"]`)?.focus();
  }, [errors, asksForToken]);
  const bind = (name: SetupField) => ({ name, ...form.getInputProps(name) });
  return (
    <RecordForm form={form} ref={frame} withAlert={false} noValidate>
      {isRefused && (
        <RefusedAlert error={error} text={asksForToken ? t(values.setup_token ? 'auth.tokenWrong' : 'auth.tokenNeeded') : undefined} />
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
      <Radio.Group name="samples" label={t('auth.samples')} {...form.getInputProps('samples')}>
        <Stack gap="xs" mt={6}>
          <Radio value="yes" label={t('auth.samples.yes')} description={t('auth.samples.yesHint')} />
          <Radio value="no" label={t('auth.samples.no')} description={t('auth.samples.noHint')} />
        </Stack>
      </Radio.Group>
      <Button type="submit" size="md" fullWidth loading={form.isSaving} rightSection={<IconArrowRight size={18} aria-hidden />}>
        {t('auth.begin')}
      </Button>
    </RecordForm>
  );
}
