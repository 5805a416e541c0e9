import { Alert, Button, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { usePeople } from '~/api/people';
import type { AccessAnswer } from '~/api/schema';
import { useCan, useMe } from '~/api/session';
import { labelled, t } from '~/i18n';
import { FormError, refusedFields } from '~/ui/FormError';
import { STATUSES } from '~/ui/status';
import { useWorkspace } from '~/workspace';
import { actionsOf, areaOf, AREAS } from './actions';
import { useActions, useNames, useRoles, useTypesOf } from './data';
import { canAsk, type Question, type SubjectKind, toAccessQuestion } from './question';
import { actionLabel, grantSummary } from './summary';

interface AccessCheckProps {
  /** The subject of the question, where it cannot be chosen. */
  subject?: { kind: SubjectKind; id: string };
}

/** Asks the server whether somebody may do something, and tells which grant decides. */
export function AccessCheck({ subject }: AccessCheckProps) {
  const workspace = useWorkspace();
  const [question, setQuestion] = useState<Question>({
    kind: subject?.kind ?? 'me', who: subject?.id ?? '', action: 'content.update', workspace, type: '', item: '', status: '', own: false,
  });
  const types = useTypesOf([question.workspace]);
  const type = question.type || (areaOf(question.action) === 'content' ? (types[0]?.name ?? '') : '');
  const asked = { ...question, type };
  const ask = useMutation({
    mutationFn: async () => (await call(api.POST('/admin/api/access-check', { body: toAccessQuestion(asked) }))).data,
  });
  const set = (change: Partial<Question>) => {
    ask.reset();
    setQuestion({ ...asked, ...change });
  };
  const fields = refusedFields(ask.error);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (canAsk(asked)) ask.mutate();
      }}
    >
      <Stack gap="sm">
        {!subject && <Subject question={asked} set={set} error={fields.user ?? fields.role ?? fields.token} />}
        <ActionSelect value={question.action} onChange={(action) => set({ action, item: '' })} error={fields.action} />
        <About question={asked} set={set} types={types.map((it) => ({ value: it.name, label: it.label }))} error={fields.resource} />
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={ask.isPending} disabled={!canAsk(asked)}>
            {t('roles.check.ask')}
          </Button>
        </Group>
        <div aria-live="polite">{ask.data && <Verdict answer={ask.data} action={question.action} />}</div>
        <FormError error={ask.error} shown={['action', 'resource', 'user', 'role', 'token']} />
      </Stack>
    </form>
  );
}

interface PartProps {
  question: Question;
  set: (change: Partial<Question>) => void;
  error?: string | undefined;
}

function Subject({ question, set, error }: PartProps) {
  const me = useMe();
  const can = useCan();
  const mayUsers = can('users.read', 'users:*') && can('roles.read', 'roles:*');
  const mayTokens = can('tokens.read', 'tokens:*');
  const roles = useRoles();
  const users = usePeople();
  const tokens = useQuery({
    queryKey: queryKeys.tokens,
    queryFn: async () => (await call(api.GET('/admin/api/tokens'))).data,
    enabled: mayTokens,
  }).data;
  const people = {
    me: [],
    user: (users ?? []).map((it) => ({ value: it.id, label: it.name })),
    role: (roles ?? []).map((it) => ({ value: it.id, label: it.label })),
    token: (tokens ?? []).filter((it) => !it.revoked_at).map((it) => ({ value: it.id, label: it.name })),
  };
  const kinds: SubjectKind[] = ['me', ...(mayUsers ? ['user' as const] : []), ...(roles ? ['role' as const] : []), ...(mayTokens ? ['token' as const] : [])];
  return (
    <Group grow align="flex-start" gap="sm">
      <Select
        label={t('roles.check.kind')}
        data={kinds.map((it) => ({ value: it, label: t(`roles.check.kind.${it}`) }))}
        value={question.kind}
        onChange={(value) => {
          const kind = kinds.find((it) => it === value) ?? 'me';
          set({ kind, who: kind === 'user' ? me.id : (people[kind][0]?.value ?? '') });
        }}
      />
      {question.kind !== 'me' && (
        <Select
          label={t(`roles.check.who.${question.kind}`)}
          data={people[question.kind]}
          value={question.who || null}
          onChange={(who) => set({ who: who ?? '' })}
          searchable
          error={error}
        />
      )}
    </Group>
  );
}

function ActionSelect({ value, onChange, error }: { value: string; onChange: (action: string) => void; error: string | undefined }) {
  const actions = useActions();
  return (
    <Select
      label={t('roles.check.action')}
      data={AREAS.map((area) => ({
        group: t(`roles.area.${area}`),
        items: actionsOf(area, actions).map((it) => ({ value: it, label: labelled(t(`roles.area.${area}`), actionLabel(it)) })),
      })).filter((it) => it.items.length > 0)}
      value={value}
      onChange={(action) => action && onChange(action)}
      searchable
      maxDropdownHeight={280}
      error={error}
    />
  );
}

function About({ question, set, types, error }: PartProps & { types: { value: string; label: string }[] }) {
  const me = useMe();
  const area = areaOf(question.action);
  if (area !== 'content' && area !== 'media' && area !== 'schema') return null;
  const workspaces = me.workspaces.filter((it) => !it.archived);
  return (
    <>
      {workspaces.length > 1 && (
        <Select
          label={t('roles.check.workspace')}
          data={workspaces.map((it) => ({ value: it.slug, label: it.label }))}
          value={question.workspace}
          onChange={(workspace) => workspace && set({ workspace, type: '' })}
        />
      )}
      {area !== 'media' && (
        <Select
          label={t('roles.check.type')}
          data={area === 'schema' ? [{ value: '', label: t('roles.grants.targetsAll.schema') }, ...types] : types}
          value={question.type}
          onChange={(type) => set({ type: type ?? '' })}
          searchable
          error={error}
        />
      )}
      {area !== 'schema' && (
        <TextInput
          label={t(area === 'media' ? 'roles.check.file' : 'roles.check.item')}
          description={t(area === 'media' ? 'roles.check.fileHint' : 'roles.check.itemHint')}
          value={question.item}
          onChange={(event) => set({ item: event.currentTarget.value })}
          error={area === 'media' ? error : undefined}
        />
      )}
      {area === 'content' && (
        <Select
          label={t('roles.check.status')}
          data={[{ value: '', label: t('roles.check.unknownStatus') }, ...STATUSES.map((it) => ({ value: it, label: t(`general.status.${it}`) }))]}
          value={question.status}
          onChange={(status) => set({ status: status ?? '' })}
        />
      )}
      {area !== 'schema' && (
        <Switch label={t('roles.check.own')} checked={question.own} onChange={(event) => set({ own: event.currentTarget.checked })} />
      )}
    </>
  );
}

function Verdict({ answer, action }: { answer: AccessAnswer; action: string }) {
  const { allowed, by, note } = answer;
  const names = useNames(by ? [by.grant] : []);
  const number = (by?.index ?? 0) + 1;
  const text = by
    ? t(allowed ? 'roles.check.allowedBy' : 'roles.check.deniedBy', { number })
    : t(allowed ? 'roles.check.allowed' : 'roles.check.deniedNone');
  return (
    <Alert
      role="note"
      color={allowed ? 'green' : 'red'}
      icon={allowed ? <IconCircleCheck aria-hidden /> : <IconCircleX aria-hidden />}
      title={text}
    >
      {by && <div>{grantSummary(by.grant, names)}</div>}
      {note && (
        <Text size="sm" mt={4}>
          {action === 'content.update' ? t('roles.check.wordsOfPublic') : note}
        </Text>
      )}
      <Text size="xs" mt={4}>
        {t('roles.check.asked', { action, resource: answer.resource })}
      </Text>
    </Alert>
  );
}
