import { Badge, Button, Group, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { Session } from '~/api/schema';
import { t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { ErrorState } from '~/ui/ErrorState';
import { confirm, showDone, showError } from '~/ui/feedback';
import { restoreLostFocus } from '~/ui/lost-focus';
import { Time } from '~/ui/Time';
import { describeAgent } from './agent';

const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: async () => (await call(api.GET('/admin/api/profile/sessions'))).data,
});

/** The sessions of the user. */
export function Sessions() {
  const answer = useQuery(sessionsQuery);
  const sessions = answer.data ?? [];
  const others = sessions.filter((it) => !it.current).length;
  return (
    <section aria-labelledby="sessions">
      <Group justify="space-between" align="flex-end" mb="sm">
        <div>
          <Title order={2} size="h3" id="sessions" tabIndex={-1}>
            {t('profile.sessions')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('profile.sessionsHint')}
          </Text>
        </div>
        <Button variant="default" size="xs" disabled={others === 0} onClick={() => endOthers(others).catch(showError)}>
          {t('profile.session.endOthers')}
        </Button>
      </Group>
      {answer.data ? (
        <DataTable caption={t('profile.sessions')} columns={columns()} rows={sessions} rowKey={(it) => it.id} />
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      ) : (
        <Waiting what={t('profile.sessions')} heights={[120]} />
      )}
    </section>
  );
}

/** Made when it is shown, in the language of then. */
const columns = (): Column<Session>[] => [
  { key: 'device', label: t('profile.session.device'), primary: true, render: (session) => <Device session={session} /> },
  { key: 'ip', label: t('profile.session.address'), width: 180, render: (session) => <Text size="sm">{session.ip}</Text> },
  { key: 'used', label: t('profile.session.used'), width: 160, render: (session) => <Text size="sm"><Time value={session.used_at} /></Text> },
  { key: 'since', label: t('profile.session.since'), width: 160, render: (session) => <Text size="sm"><Time value={session.created_at} /></Text> },
  {
    key: 'actions',
    label: t('profile.session.actions'),
    quiet: true,
    width: 110,
    align: 'right',
    render: (session) =>
      session.current ? null : (
        <Button
          variant="default"
          size="xs"
          aria-label={t('profile.session.endOf', { device: deviceText(session) })}
          onClick={() => endSession(session).catch(showError)}
        >
          {t('profile.session.end')}
        </Button>
      ),
  },
];

function deviceText({ agent }: Session): string {
  const { browser, system } = describeAgent(agent);
  if (browser && system) return t('profile.session.on', { browser, system });
  return browser ?? system ?? (agent || t('profile.session.unknown'));
}

function Device({ session }: { session: Session }) {
  const { system, mobile } = describeAgent(session.agent);
  const Icon = mobile ? IconDeviceMobile : system ? IconDeviceDesktop : IconTerminal2;
  return (
    <Group gap="sm" wrap="nowrap" title={session.agent}>
      <Icon size={20} stroke={1.6} aria-hidden />
      <div>
        <Group gap={6}>
          <Text size="sm" fw={600} span>
            {deviceText(session)}
          </Text>
          {session.current && <Badge color="green">{t('profile.session.current')}</Badge>}
        </Group>
        {session.remember && (
          <Text size="xs" c="dimmed">
            {t('profile.session.remembered')}
          </Text>
        )}
      </div>
    </Group>
  );
}

/** Fetches the list anew, with the focus on its heading if the button that had it is gone. */
async function refresh(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  restoreLostFocus(() => document.getElementById('sessions'));
}

async function endSession({ id }: Session): Promise<void> {
  await call(api.DELETE('/admin/api/profile/sessions/{id}', { params: { path: { id } } }));
  showDone(t('profile.session.ended'));
  await refresh();
}

async function endOthers(count: number): Promise<void> {
  const yes = await confirm({
    title: t('profile.session.endOthersTitle'),
    body: t('profile.session.endOthersBody', { count }),
    action: t('profile.session.endOthers'),
    danger: true,
  });
  if (!yes) return;
  await call(api.DELETE('/admin/api/profile/sessions'));
  showDone(t('profile.session.endedOthers'));
  await refresh();
}
