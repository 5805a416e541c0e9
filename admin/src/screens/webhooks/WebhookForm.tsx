import { Alert, Button, Checkbox, Group, MultiSelect, NumberInput, PasswordInput, Stack, Switch, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '~/api/error';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { confirm, showDone, showError } from '~/ui/feedback';
import { RecordForm, SubmitButton } from '~/ui/RecordForm';
import { type InputBinding, useRecordForm } from '~/ui/useRecordForm';
import { saveWebhook, webhooksQuery } from './data';
import { EventChoice } from './EventChoice';
import { fieldErrorsOf, type Webhook, WebhookGone, type WebhookInput } from './hooks';
import { SecretShown } from './SecretShown';
import classes from './webhooks.module.css';

interface WebhookFormProps {
  /** Nothing makes a new one. */
  hook?: Webhook | undefined;
  /** The secret that was just made. */
  secret: string | undefined;
  onSaved: (hook: Webhook) => void;
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}

type Draft = Required<Pick<WebhookInput, 'name' | 'url' | 'events' | 'enabled'>> & {
  workspaces: string[];
  debounce_seconds: number;
  /** A new one; empty leaves it to the server, or as it is. */
  secret: string;
};

const NO_ERRORS = {};

function draftOf(hook: Webhook | undefined): Draft {
  const { name = '', url = '', events = [], workspaces = ['*'], enabled = true, debounce_seconds = 0 } = hook ?? {};
  return { name, url, events: [...events], workspaces: [...workspaces], enabled, debounce_seconds, secret: '' };
}

/** The form of a webhook. */
export function WebhookForm({ hook, secret, onSaved, onDirty, onClose }: WebhookFormProps) {
  const [stored] = useState(() => draftOf(hook));
  const ref = useRef<HTMLFormElement>(null);
  const form = useRecordForm({
    stored,
    allowUnchanged: true,
    onDirty,
    save: async ({ secret: own, ...rest }, _, intent) => {
      const chosen = intent === 'rotate' ? { secret: null } : own && { secret: own };
      return (await saveWebhook(hook?.id, { ...rest, ...chosen })).hook;
    },
    settle: (_, sent) => ({ ...sent, secret: '' }),
    onSaved: (saved, _, intent) => {
      showDone(intent === 'rotate' ? t('webhooks.rotated') : t('general.saved'));
      if (saved) onSaved(saved);
    },
    onError: (error) => {
      if (error instanceof WebhookGone) showError(goneError());
      else if (!isApiError(error, 'invalid_webhook')) showError(error);
    },
    errorsOf: (error) => (isApiError(error, 'invalid_webhook') ? fieldErrorsOf(error.fields, placeOf(hook)) : NO_ERRORS),
  });
  const { values, error } = form;
  // Once the refused values are marked.
  useEffect(() => {
    if (error) ref.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [error]);

  const rotate = async () => {
    const sure = await confirm({
      title: t('webhooks.rotateTitle'),
      body: t('webhooks.rotateBody'),
      action: t('webhooks.rotate'),
    });
    if (sure) form.submit('rotate');
  };
  const others = Object.entries(form.errors).filter(([field]) => !(field in values));
  return (
    <RecordForm form={form} ref={ref} withAlert={false} noValidate>
      {secret && <SecretShown secret={secret} />}
      {others.length > 0 && (
        <Alert color="red" role="alert">
          {others.map(([field, message]) => (
            <div key={field}>
              {field}: {message}
            </div>
          ))}
        </Alert>
      )}
      <TextInput
        label={t('webhooks.name')}
        description={t('webhooks.nameHint')}
        {...form.getInputProps('name')}
        maxLength={100}
        required
        data-autofocus
      />
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlHint')}
        placeholder="https://build.example.org/hook"
        type="url"
        {...form.getInputProps('url')}
        required
      />
      <EventChoice {...form.getInputProps('events')} />
      <WorkspaceChoice {...form.getInputProps('workspaces')} />
      <NumberInput
        label={t('webhooks.debounce')}
        description={t('webhooks.debounceHint')}
        {...form.getInputProps('debounce_seconds')}
        onChange={(value) => form.setValues({ debounce_seconds: Number(value) || 0 })}
        min={0}
        max={3600}
        allowDecimal={false}
        allowNegative={false}
      />
      <PasswordInput
        label={t('webhooks.secret')}
        description={t('webhooks.secretHint')}
        placeholder={hook?.secret_set ? t('webhooks.secretKept') : undefined}
        {...form.getInputProps('secret')}
        maxLength={256}
        autoComplete="off"
        visibilityToggleButtonProps={{ 'aria-label': t('webhooks.secretShow'), tabIndex: 0 }}
      />
      <Switch
        label={t('webhooks.enabled')}
        description={t('webhooks.enabledHint')}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
      <Group justify="space-between" className={classes.sticky}>
        {hook ? (
          <Button variant="default" onClick={rotate} disabled={form.isSaving}>
            {t('webhooks.rotate')}
          </Button>
        ) : (
          <Button variant="default" onClick={onClose} ms="auto">
            {t('general.cancel')}
          </Button>
        )}
        <SubmitButton form={form}>{hook ? undefined : t('general.create')}</SubmitButton>
      </Group>
    </RecordForm>
  );
}

/** Returns the place of a webhook in the list that is sent; a new one comes last. */
function placeOf(hook: Webhook | undefined): number {
  const list = queryClient.getQueryData(webhooksQuery.queryKey) ?? [];
  return hook ? list.findIndex((it) => it.id === hook.id) : list.length;
}

function goneError(): Error {
  const gone = new Error(t('webhooks.gone'));
  void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks });
  return gone;
}

/** All workspaces, those to come too, or some of them. */
function WorkspaceChoice({ value, onChange, error }: InputBinding<string[]>) {
  const { workspaces } = useMe();
  const all = value.includes('*');
  const data = workspaces.map((it) => ({ value: it.slug, label: it.label }));
  // One that is archived, or not for this user, stays chosen.
  for (const slug of value) {
    if (slug !== '*' && !data.some((it) => it.value === slug)) data.push({ value: slug, label: slug });
  }
  return (
    <Stack gap="xs">
      <Checkbox
        label={t('webhooks.allWorkspaces')}
        description={t('webhooks.allWorkspacesHint')}
        checked={all}
        onChange={(event) => onChange(event.currentTarget.checked ? ['*'] : workspaces.slice(0, 1).map((it) => it.slug))}
      />
      {!all && (
        <MultiSelect
          label={t('webhooks.workspaces')}
          data={data}
          value={value}
          onChange={onChange}
          error={error}
          clearButtonProps={{ 'aria-label': t('webhooks.clearWorkspaces') }}
          searchable
        />
      )}
    </Stack>
  );
}
