import { ActionIcon, Anchor, Button, Menu, Stack, Switch, Text } from '@mantine/core';
import { IconDots, IconPencil, IconPlugConnected, IconPlus, IconSend, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, type LinkProps } from '@tanstack/react-router';
import { useCan, useMe } from '~/api/session';
import { formatList, t } from '~/i18n';
import type { Search } from '~/search-params';
import { Waiting } from '~/ui/Waiting';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { EmptyState, NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { confirm, showDone, showError } from '~/ui/feedback';
import { restoreLostFocus } from '~/ui/lost-focus';
import { PageHead } from '~/ui/PageHead';
import { Time } from '~/ui/Time';
import { saveWebhook, webhooksQuery } from './data';
import { chosenEvents, GROUPS, stateOf, type Webhook } from './hooks';
import { WebhookChip } from './State';
import { TABS, WebhookDrawer } from './WebhookDrawer';
import classes from './webhooks.module.css';

const route = getRouteApi('/inside/system/webhooks');
const NEW = '~new';
/** The id of the button that takes the keyboard after a row is gone. */
const CREATE = 'new-webhook';

/** The link to a state of this page. */
function link(search: Search): object {
  const props: LinkProps = { to: '/system/webhooks', search };
  return props;
}

/** The list of webhooks. */
export default function Webhooks() {
  const can = useCan();
  if (!can('webhooks.manage', 'webhooks:*')) {
    return (
      <>
        <PageHead title={t('shell.webhooks')} />
        <NoPermission action="webhooks.manage" />
      </>
    );
  }
  return <List />;
}

function List() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPending, refetch } = useQuery(webhooksQuery);
  const go = (change: Search) => void navigate({ search: (it: Search) => ({ ...it, ...change }), replace: 'tab' in change || 'failed' in change });
  const open = data?.find((it) => it.id === search.hook);
  const remove = async (hook: Webhook) => {
    const sure = await confirm({
      title: t('webhooks.deleteTitle', { name: hook.name }),
      body: t('webhooks.deleteBody', { count: hook.waiting }),
      action: t('general.delete'),
      danger: true,
    });
    if (!sure) return;
    try {
      await saveWebhook(hook.id, null);
      showDone(t('webhooks.deleted', { name: hook.name }));
      restoreLostFocus(() => document.getElementById(CREATE));
    } catch (failure) {
      showError(failure);
    }
  };
  const button = (
    <Button component={Link} {...link({ hook: NEW })} leftSection={<IconPlus size={16} aria-hidden />} id={CREATE}>
      {t('webhooks.new')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('shell.webhooks')} description={t('webhooks.description')} actions={data && data.length > 0 ? button : undefined} />
      {isPending && <Waiting what={t('shell.webhooks')} heights={[180]} />}
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {data?.length === 0 && (
        <EmptyState icon={IconPlugConnected} title={t('webhooks.none')} action={button}>
          {t('webhooks.noneHint')}
        </EmptyState>
      )}
      {data && data.length > 0 && (
        <DataTable caption={t('shell.webhooks')} columns={columns(remove)} rows={data} rowKey={(it) => it.id} rowState={(it) => ({ muted: !it.enabled })} />
      )}
      {search.hook && data && !open && search.hook !== NEW && (
        <Text mt="md" size="sm" role="status">
          {t('webhooks.gone')}
        </Text>
      )}
      {(open || search.hook === NEW) && (
        <WebhookDrawer
          hook={open}
          tab={TABS.find((it) => it === search.tab) ?? 'deliveries'}
          onlyFailed={search.failed === '1'}
          onTab={(tab) => go({ tab, failed: undefined })}
          onOnlyFailed={(only) => go({ failed: only ? '1' : undefined })}
          onCreated={(hook) => go({ hook: hook.id, tab: 'settings' })}
          onClose={() => go({ hook: undefined, tab: undefined, failed: undefined })}
        />
      )}
    </>
  );
}

function columns(remove: (hook: Webhook) => void): Column<Webhook>[] {
  return [
    {
      key: 'name',
      label: t('webhooks.name'),
      primary: true,
      render: (hook) => (
        <Stack gap={0} miw={0}>
          <Anchor component={Link} {...link({ hook: hook.id })} fw={600} size="sm">
            {hook.name}
          </Anchor>
          <span className={classes.url}>{hook.url}</span>
        </Stack>
      ),
    },
    { key: 'state', label: t('webhooks.stateLabel'), render: (hook) => <WebhookChip hook={hook} />, width: 150 },
    {
      key: 'events',
      label: t('webhooks.events'),
      render: (hook) => (
        <Stack gap={0}>
          <Text size="sm">{eventSummary(hook)}</Text>
          <Text size="xs" c="dimmed">
            <WorkspaceNames hook={hook} />
          </Text>
        </Stack>
      ),
    },
    { key: 'last', label: t('webhooks.lastDelivery'), render: (hook) => <Last hook={hook} />, width: 190 },
    { key: 'enabled', label: t('webhooks.enabled'), render: (hook) => <Enabled hook={hook} />, width: 90 },
    { key: 'actions', label: t('general.more'), quiet: true, width: 60, align: 'right', render: (hook) => <Actions hook={hook} onRemove={remove} /> },
  ];
}

/** `All events`, or which groups how far. */
function eventSummary(hook: Webhook): string {
  if (hook.events.includes('*')) return t('webhooks.allEvents');
  const chosen = chosenEvents(hook.events);
  const groups = GROUPS.filter((group) => [...chosen].some((it) => it.startsWith(`${group}.`)));
  return `${formatList(groups.map((it) => t(`webhooks.group.${it}`)))} · ${t('webhooks.eventCount', { count: chosen.size })}`;
}

function WorkspaceNames({ hook }: { hook: Webhook }) {
  const { workspaces } = useMe();
  if (hook.workspaces.includes('*')) return <>{t('webhooks.allWorkspaces')}</>;
  return <>{formatList(hook.workspaces.map((slug) => workspaces.find((it) => it.slug === slug)?.label ?? slug))}</>;
}

function Last({ hook }: { hook: Webhook }) {
  const last = hook.last_delivery;
  if (!last) return <Text size="sm" c="dimmed">{t('webhooks.never')}</Text>;
  return (
    <Stack gap={0}>
      <Text size="sm" component="div">
        <Time value={last.attempted_at} />
      </Text>
      {stateOf(hook) === 'failing' && (
        <Text size="xs" c="red" lineClamp={2}>
          {last.error}
        </Text>
      )}
      {hook.waiting > 0 && (
        <Text size="xs" c="dimmed">
          {t('webhooks.waitingCount', { count: hook.waiting })}
        </Text>
      )}
    </Stack>
  );
}

function Enabled({ hook }: { hook: Webhook }) {
  const save = useMutation({
    mutationFn: (enabled: boolean) => saveWebhook(hook.id, { enabled }),
    onError: showError,
  });
  return (
    <Switch
      aria-label={t('webhooks.enable', { name: hook.name })}
      checked={save.isPending ? save.variables : hook.enabled}
      disabled={save.isPending}
      onChange={(event) => save.mutate(event.currentTarget.checked)}
    />
  );
}

function Actions({ hook, onRemove }: { hook: Webhook; onRemove: (hook: Webhook) => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('webhooks.actionsOf', { name: hook.name })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} {...link({ hook: hook.id })} leftSection={<IconSend size={16} aria-hidden />}>
          {t('webhooks.tab.deliveries')}
        </Menu.Item>
        <Menu.Item component={Link} {...link({ hook: hook.id, tab: 'settings' })} leftSection={<IconPencil size={16} aria-hidden />}>
          {t('general.edit')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => onRemove(hook)}>
          {t('general.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
