import { Button, Select, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { usePeople } from '~/api/people';
import { useMe } from '~/api/session';
import { FieldInput } from '~/fields/FieldInput';
import { fieldId } from '~/fields/ids';
import { formatDateTime, labelled, t } from '~/i18n';
import { effectiveStatus, isPublicStatus, type Status, STATUSES } from '~/ui/status';
import { useEditing } from '../context';
import { errorsAt } from '../form/form';
import { type EntryForm, type FormState, useFormState } from '../form/store';

/**
 * Returns the status in the form. One that was scheduled is shown as published once its time has come, as long
 * as neither is changed.
 */
function statusIn({ base, values }: FormState): Status {
  const status = (values.status ?? 'draft') as Status;
  const isStored = status === base.status && values.published_at === base.published_at;
  return isStored ? effectiveStatus({ status, published_at: values.published_at as string | null }) : status;
}

/** The visibility of the entry: its status, its beginning and its end. */
export function Publishing() {
  return (
    <Stack gap="md">
      <StatusSelect />
      <PublishedAt />
      <UnpublishAt />
      <Author />
    </Stack>
  );
}

function StatusSelect() {
  const { form, rights, readOnly } = useEditing();
  const status = useFormState(form, statusIn);
  // The time at which it was published by itself.
  const since = useFormState(form, ({ values }) => (status === 'published' && values.status === 'scheduled' ? String(values.published_at) : undefined));
  const saved = useFormState(form, ({ base }) => base.status);
  const error = useFormState(form, ({ errors }) => errors.status);
  const data = STATUSES.map((value) => ({
    value,
    label: t(`general.status.${value}`),
    // What it is already, it may stay.
    disabled: !rights.publish && isPublicStatus(value) && value !== saved,
  }));
  return (
    <div>
      <Select
        id={fieldId('status')}
        label={t('entry.meta.status')}
        data={data}
        value={status}
        onChange={(value) => value && form.set('status', value)}
        disabled={readOnly}
        error={error}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {since ? t('entry.status.since', { time: formatDateTime(since) }) : t(`entry.status.${status}`)}
        {!rights.publish && !readOnly && ` ${t('entry.noPublish')}`}
      </Text>
    </div>
  );
}

function PublishedAt() {
  const { form, rights, readOnly } = useEditing();
  const inVain = useFormState(form, ({ values }) => (values.status ?? 'draft') === 'draft' && Date.parse(String(values.published_at)) > Date.now());
  const status = useFormState(form, statusIn);
  const scheduled = status === 'scheduled';
  return (
    <div>
      <DateInput
        name="published_at"
        label={scheduled ? t('entry.publishAt') : t('entry.meta.published_at')}
        required={scheduled}
        readOnly={readOnly || (!rights.publish && isPublicStatus(status))}
      />
      <div role="status">
        {inVain && (
          <Text size="xs" mt={4}>
            {t('entry.stillDraft')}
          </Text>
        )}
      </div>
      {inVain && rights.publish && !readOnly && (
        <Button size="compact-xs" variant="default" mt={4} onClick={() => schedule(form)}>
          {t('entry.stillDraft.schedule')}
        </Button>
      )}
    </div>
  );
}

/** Plans a draft for the date that it has; the button is gone with that. */
function schedule(form: EntryForm): void {
  form.set('status', 'scheduled');
  document.getElementById(fieldId('status'))?.focus();
}

function UnpublishAt() {
  const { rights, readOnly } = useEditing();
  return <DateInput name="unpublish_at" label={t('entry.meta.unpublish_at')} readOnly={readOnly || !rights.publish} />;
}

interface DateInputProps {
  name: 'published_at' | 'unpublish_at';
  label: string;
  required?: boolean;
  readOnly: boolean;
}

/** A moment that the entry has beside its fields. */
function DateInput({ name, label, required = false, readOnly }: DateInputProps) {
  const { workspace, type, id, form } = useEditing();
  const value = useFormState(form, ({ values }) => values[name]);
  const errors = useFormState(form, (state) => state.errors);
  const wrong = useMemo(() => errorsAt(errors, name), [errors, name]);
  const context = useMemo(() => ({ workspace, type: type.name, id, locale: '' }), [workspace, type.name, id]);
  const definition = useMemo(() => ({ type: 'datetime' as const, label, required }), [label, required]);
  return (
    <FieldInput
      path={name}
      name={name}
      definition={definition}
      value={value}
      onChange={(next) => form.set(name, next)}
      context={context}
      errors={wrong}
      readOnly={readOnly}
    />
  );
}

/** Returns a function that gives the name for a user's id. */
export function useNameOf(): (id: string | undefined | null) => string {
  const me = useMe();
  const users = usePeople();
  return (id) => {
    if (!id) return t('entry.nobody');
    if (id === me.id) return me.display_name || me.username;
    if (id.startsWith('tok_')) return t('entry.aToken');
    return users?.find((it) => it.id === id)?.name ?? t('entry.otherUser');
  };
}

function Author() {
  const { form, rights, readOnly } = useEditing();
  const users = usePeople();
  const nameOf = useNameOf();
  const author = useFormState(form, ({ values }) => values.author_id as string | null | undefined);
  const isNew = useFormState(form, ({ entry }) => entry === undefined);
  const error = useFormState(form, ({ errors }) => errors.author_id);
  if (isNew && !author && !(rights.publish && users)) return null;
  if (!rights.publish || !users || readOnly) {
    return (
      <Text size="sm">
        {labelled(t('entry.meta.author_id'), nameOf(author))}
      </Text>
    );
  }
  const known = users.map((it) => ({ value: it.id, label: it.name }));
  // A token, or somebody who is no longer there, stays the author until another one is chosen.
  const data = author && !known.some((it) => it.value === author) ? [...known, { value: author, label: nameOf(author) }] : known;
  return (
    <Select
      id={fieldId('author_id')}
      label={t('entry.meta.author_id')}
      placeholder={isNew ? t('entry.authorYou') : t('entry.nobody')}
      data={data}
      value={author ?? null}
      onChange={(value) => form.set('author_id', value)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('entry.clearAuthor') }}
      error={error}
    />
  );
}
