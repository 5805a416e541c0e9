import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { api, call } from '~/api/client';
import type { SecondFactorSetup } from '~/api/schema';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { useRecordForm } from '~/ui/useRecordForm';
import classes from './factor.module.css';
import { PasswordStep } from './PasswordStep';
import { RecoveryCodes } from './RecoveryCodes';

interface SetUpProps {
  onDone: () => void;
  onCancel?: (() => void) | undefined;
}

/** Sets up a second factor: the password, a code of the app, and the recovery codes. */
export function SetUp({ onDone, onCancel }: SetUpProps) {
  const [setup, setSetup] = useState<SecondFactorSetup>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  if (setup) return <Confirm setup={setup} onDone={setCodes} onCancel={onCancel} />;
  return (
    <PasswordStep
      action={t('profile.factor.next')}
      send={async (password) => (await call(api.POST('/admin/api/profile/second-factor', { body: { password } }))).data}
      onDone={setSetup}
      onCancel={onCancel}
    />
  );
}

interface ConfirmProps {
  setup: SecondFactorSetup;
  onDone: (codes: readonly string[]) => void;
  onCancel?: (() => void) | undefined;
}

function Confirm({ setup, onDone, onCancel }: ConfirmProps) {
  const codeField = useRef<HTMLInputElement>(null);
  useEffect(() => codeField.current?.focus(), []);
  const form = useRecordForm({
    stored: { code: '' },
    isValid: ({ code }) => code.trim() !== '',
    withSaveShortcut: false,
    save: async (body) => (await call(api.POST('/admin/api/profile/second-factor/confirm', { body }))).data.recovery_codes,
    onSaved: onDone,
  });
  return (
    <RecordForm form={form} shown={['code']}>
      <Text size="sm">{t('profile.factor.scan')}</Text>
      <img className={classes.qr} src={`data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`} alt={t('profile.factor.qr')} />
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          {t('profile.factor.secret')}
        </Text>
        <Group gap="xs" wrap="nowrap">
          <span className={classes.secret} data-testid="factor-secret">
            {setup.secret.match(/.{1,4}/g)?.join(' ')}
          </span>
          <CopyButton value={setup.secret} label={t('profile.factor.secretCopy')} />
        </Group>
      </Stack>
      <TextInput
        label={t('profile.factor.code')}
        description={t('profile.factor.codeHint')}
        {...form.getInputProps('code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        ref={codeField}
      />
      <Group justify="flex-end">
        {onCancel && (
          <Button variant="default" onClick={onCancel}>
            {t('general.cancel')}
          </Button>
        )}
        <SubmitButton form={form}>{t('profile.factor.confirm')}</SubmitButton>
      </Group>
    </RecordForm>
  );
}
