import { Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, call } from '~/api/client';
import { useCan, useMe } from '~/api/session';
import { FieldInput, fieldId } from '~/fields/FieldInput';
import { t } from '~/i18n';
import { STATUSES, type Status } from '~/ui/StatusChip';
import { useEditing } from './context';
import { errorsAt } from './form';
import { useForm } from './store';

const PUBLIC: readonly Status[] = ['published', 'scheduled'];

/** Who sees the entry, and from when on. */
export function Publishing() {
  return (
    <Stack gap="md">
      <StatusSelect />
      <PublishedAt />
      <Author />
    </Stack>
  );
}

function StatusSelect() {
  const { form, rights, readOnly } = useEditing();
  const status = useForm(form, ({ values }) => (values.status ?? 'draft') as Status);
  const saved = useForm(form, ({ base }) => base.status);
  const error = useForm(form, ({ errors }) => errors.status);
  const data = STATUSES.map((value) => ({
    value,
    label: t(`general.status.${value}`),
    // What it is already, it may stay.
    disabled: !rights.publish && PUBLIC.includes(value) && value !== saved,
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
        {t(`entry.status.${status}`)}
        {!rights.publish && !readOnly && ` ${t('entry.noPublish')}`}
      </Text>
    </div>
  );
}

function PublishedAt() {
  const { workspace, type, id, form, rights, readOnly } = useEditing();
  const value = useForm(form, ({ values }) => values.published_at);
  const status = useForm(form, ({ values }) => values.status as Status);
  const errors = useForm(form, (state) => state.errors);
  const wrong = useMemo(() => errorsAt(errors, 'published_at'), [errors]);
  const context = useMemo(() => ({ workspace, type: type.name, id, locale: '' }), [workspace, type.name, id]);
  const definition = useMemo(
    () => ({
      type: 'datetime' as const,
      label: status === 'scheduled' ? t('entry.publishAt') : t('entry.meta.published_at'),
      required: status === 'scheduled',
    }),
    [status],
  );
  return (
    <FieldInput
      path="published_at"
      name="published_at"
      definition={definition}
      value={value}
      onChange={(next) => form.set('published_at', next)}
      context={context}
      errors={wrong}
      readOnly={readOnly || (!rights.publish && PUBLIC.includes(status))}
    />
  );
}

/** The users by id and name, as far as they may be known. */
export function useUserNames(): readonly { id: string; name: string }[] | undefined {
  const can = useCan()('users.read', 'users:*');
  const { data } = useQuery({
    queryKey: ['users', 'names'],
    enabled: can,
    staleTime: 60_000,
    queryFn: async () => (await call(api.GET('/admin/api/users'))).data,
  });
  return useMemo(() => data?.map((it) => ({ id: it.id, name: it.display_name || it.username })), [data]);
}

/** What is shown for the id of somebody. */
export function useNameOf(): (id: string | undefined | null) => string {
  const me = useMe();
  const users = useUserNames();
  return (id) => {
    if (!id) return t('entry.nobody');
    if (id === me.id) return me.display_name || me.username;
    if (id.startsWith('tok_')) return t('entry.aToken');
    return users?.find((it) => it.id === id)?.name ?? t('entry.somebody');
  };
}

function Author() {
  const { form, rights, readOnly } = useEditing();
  const users = useUserNames();
  const nameOf = useNameOf();
  const author = useForm(form, ({ values }) => values.author_id as string | null | undefined);
  const isNew = useForm(form, ({ entry }) => entry === undefined);
  const error = useForm(form, ({ errors }) => errors.author_id);
  if (isNew && !author && !(rights.publish && users)) return null;
  if (!rights.publish || !users || readOnly) {
    return (
      <Text size="sm">
        {t('entry.meta.author_id')}: {nameOf(author)}
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
