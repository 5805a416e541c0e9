import { Alert, Button, Checkbox, Group, MultiSelect, Stack, Switch, TextInput } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { isApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { confirm, showDone, showError } from '~/ui/feedback';
import { useSaveKey } from '~/ui/keys';
import { saveWebhook, webhooksQuery } from './data';
import { EventChoice } from './EventChoice';
import { fieldsOf, type Webhook, WebhookGone, type WebhookInput } from './hooks';
import { SecretShown } from './SecretShown';
import classes from './webhooks.module.css';

interface WebhookFormProps {
  /** Nothing makes a new one. */
  hook?: Webhook | undefined;
  /** What becomes of a secret that was just made. */
  secret: string | undefined;
  onSaved: (hook: Webhook) => void;
  onDirty: (dirty: boolean) => void;
}

type Draft = Required<Pick<WebhookInput, 'name' | 'url' | 'events' | 'enabled'>> & { workspaces: string[] };

function draftOf(hook: Webhook | undefined): Draft {
  const { name = '', url = '', events = [], workspaces = ['*'], enabled = true } = hook ?? {};
  return { name, url, events: [...events], workspaces: [...workspaces], enabled };
}

/** What of a webhook can be chosen. */
export function WebhookForm({ hook, secret, onSaved, onDirty }: WebhookFormProps) {
  const [draft, setDraft] = useState(() => draftOf(hook));
  const [kept, setKept] = useState(() => draftOf(hook));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [saving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const dirty = JSON.stringify(draft) !== JSON.stringify(kept);
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const change = (part: Partial<Draft>) => setDraft((it) => ({ ...it, ...part }));

  const save = async (more: Partial<WebhookInput> = {}) => {
    if (saving) return;
    setSaving(true);
    setErrors({});
    try {
      const saved = (await saveWebhook(hook?.id, { ...draft, ...more })).hook;
      setKept(draft);
      showDone(more.secret === null ? t('webhooks.rotated') : t('general.saved'));
      if (saved) onSaved(saved);
    } catch (error) {
      if (error instanceof WebhookGone) showError(goneError());
      else if (isApiError(error, 'invalid_webhook')) {
        const list = queryClient.getQueryData(webhooksQuery.queryKey) ?? [];
        const index = hook ? list.findIndex((it) => it.id === hook.id) : list.length;
        setErrors(fieldsOf(error.fields, index));
        requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
      } else showError(error);
    } finally {
      setSaving(false);
    }
  };
  useSaveKey(() => void save());

  const rotate = async () => {
    const sure = await confirm({
      title: t('webhooks.rotateTitle'),
      body: t('webhooks.rotateBody'),
      action: t('webhooks.rotate'),
    });
    if (sure) await save({ secret: null });
  };
  const { name, url, events, workspaces, enabled, ...others } = errors;
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack gap="md">
        {secret && <SecretShown secret={secret} />}
        {Object.keys(others).length > 0 && (
          <Alert color="red" role="alert">
            {Object.entries(others).map(([field, message]) => (
              <div key={field}>
                {field}: {message}
              </div>
            ))}
          </Alert>
        )}
        <TextInput
          label={t('webhooks.name')}
          description={t('webhooks.nameHint')}
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          error={name}
          maxLength={100}
          required
          data-autofocus
        />
        <TextInput
          label={t('webhooks.url')}
          description={t('webhooks.urlHint')}
          placeholder="https://build.example.org/hook"
          type="url"
          value={draft.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
          error={url}
          required
        />
        <EventChoice value={draft.events} onChange={(next) => change({ events: next })} error={events} />
        <WorkspaceChoice value={draft.workspaces} onChange={(next) => change({ workspaces: next })} error={workspaces} />
        <Switch
          label={t('webhooks.enabled')}
          description={t('webhooks.enabledHint')}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
          error={enabled}
        />
        <Group justify="space-between" className={classes.sticky}>
          {hook ? (
            <Button variant="default" onClick={rotate} disabled={saving}>
              {t('webhooks.rotate')}
            </Button>
          ) : (
            <span />
          )}
          <Button type="submit" loading={saving}>
            {hook ? t('general.save') : t('general.create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function goneError(): Error {
  const gone = new Error(t('webhooks.gone'));
  void queryClient.invalidateQueries({ queryKey: ['webhooks'] });
  return gone;
}

interface WorkspaceChoiceProps {
  value: string[];
  onChange: (slugs: string[]) => void;
  error: string | undefined;
}

/** All workspaces, those to come too, or some of them. */
function WorkspaceChoice({ value, onChange, error }: WorkspaceChoiceProps) {
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
