import { Alert, Button, Code, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconCheck, IconChevronRight, IconPlugX, IconRefresh, IconSend } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ApiError } from '~/api/error';
import { formatDateTime, formatNumber, t } from '~/i18n';
import { Announce } from '~/ui/Announce';
import { CopyButton } from '~/ui/CopyButton';
import { EmptyState, NoMatch } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { showDone, showError } from '~/ui/feedback';
import { Time } from '~/ui/Time';
import { deliveriesQuery, redeliver, sendTest } from './data';
import { type Delivery, EVENTS, failedDeliveries, GROUPS, prettyJson, type Webhook } from './hooks';
import { DeliveryChip } from './State';
import classes from './webhooks.module.css';

interface DeliveriesProps {
  hook: Webhook;
  onlyFailed: boolean;
  onOnlyFailed: (only: boolean) => void;
}

/** The latest deliveries of a webhook, and the answers to them. */
export function Deliveries({ hook, onlyFailed, onOnlyFailed }: DeliveriesProps) {
  const { data, error, isPending, refetch } = useQuery(deliveriesQuery(hook.id));
  const rows = data && onlyFailed ? failedDeliveries(data) : data;
  return (
    <Stack gap="sm">
      <Test hook={hook} />
      {hook.waiting > 0 && <Text size="sm">{t('webhooks.waitingCount', { count: hook.waiting })}</Text>}
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={t('webhooks.show')}
          value={onlyFailed ? 'failed' : 'all'}
          onChange={(value) => onOnlyFailed(value === 'failed')}
          data={[
            { value: 'all', label: t('webhooks.showAll') },
            { value: 'failed', label: t('webhooks.showFailed') },
          ]}
        />
        <Text size="xs" c="dimmed">
          {t('webhooks.logHint')}
        </Text>
      </Group>
      {rows && <Announce text={t('webhooks.attempts', { count: rows.length })} />}
      {isPending && <Waiting what={hook.name} heights={[42, 42, 42]} />}
      {error && !data && <ErrorState error={error} onRetry={refetch} />}
      {rows?.map((delivery) => (
        <Attempt key={delivery.id} delivery={delivery} canRedeliver={hook.enabled} />
      ))}
      {data?.length === 0 && (
        <EmptyState icon={IconSend} title={t('webhooks.noDeliveries')}>
          {t('webhooks.noDeliveriesHint')}
        </EmptyState>
      )}
      {data && data.length > 0 && rows?.length === 0 && (
        <NoMatch onClear={() => onOnlyFailed(false)}>{t('webhooks.noneFailed')}</NoMatch>
      )}
    </Stack>
  );
}

/** A test, sent at once, with what came of it. */
function Test({ hook }: { hook: Webhook }) {
  const test = useMutation({ mutationFn: () => sendTest(hook.id) });
  const refused = test.error instanceof ApiError && test.error.code === 'webhook_failed';
  return (
    <Stack gap="xs" aria-live="polite">
      <Group>
        <Button
          variant="default"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={test.isPending}
          disabled={!hook.secret_set}
          onClick={() => test.mutate()}
        >
          {t('webhooks.sendTest')}
        </Button>
        {!hook.secret_set && <Text size="sm">{t('webhooks.noSecretHint')}</Text>}
      </Group>
      {test.data && (
        <Alert color="green" icon={<IconCheck size={18} aria-hidden />} title={t('webhooks.testTaken')}>
          {t('webhooks.testTakenHint', { status: test.data.status ?? 0, ms: test.data.latency_ms ?? 0 })}
        </Alert>
      )}
      {test.error && (
        <Alert
          color="red"
          icon={<IconPlugX size={18} aria-hidden />}
          title={refused ? t('webhooks.testRefused') : t('general.failed')}
        >
          {test.error.message}
        </Alert>
      )}
    </Stack>
  );
}

/** One attempt; opened, everything that is known of it. */
function Attempt({ delivery, canRedeliver }: { delivery: Delivery; canRedeliver: boolean }) {
  return (
    <details className={classes.attempt}>
      <summary>
        <IconChevronRight size={16} aria-hidden className={classes.chevron} />
        <span className={classes.grow}>
          {eventName(delivery.event)}{' '}
          <Text span size="xs" c="dimmed">
            {delivery.attempt > 1 && t('webhooks.attempt', { number: delivery.attempt })}
          </Text>
        </span>
        <DeliveryChip delivery={delivery} />
        <Text span size="sm" c="dimmed">
          <Time value={delivery.attempted_at} />
        </Text>
      </summary>
      <AttemptDetails delivery={delivery} canRedeliver={canRedeliver} />
    </details>
  );
}

function AttemptDetails({ delivery, canRedeliver }: { delivery: Delivery; canRedeliver: boolean }) {
  const again = useMutation({
    mutationFn: () => redeliver(delivery.id),
    onSuccess: () => showDone(t('webhooks.redelivered')),
    onError: showError,
  });
  const facts: [string, string | null][] = [
    [t('webhooks.factEvent'), delivery.event],
    [t('webhooks.factAttempt'), formatNumber(delivery.attempt)],
    [t('webhooks.factWhen'), formatDateTime(delivery.attempted_at)],
    [t('webhooks.factOccurred'), formatDateTime(delivery.occurred_at)],
    [t('webhooks.factNext'), delivery.next_attempt_at && formatDateTime(delivery.next_attempt_at)],
    [t('webhooks.factTook'), delivery.latency_ms === null ? null : `${formatNumber(delivery.latency_ms)} ms`],
    [t('webhooks.factWorkspace'), delivery.workspace],
    ['webhook-id', delivery.message_id],
    [t('general.requestId'), delivery.request_id],
  ];
  return (
    <Stack gap="sm" className={classes.body}>
      {delivery.error && (
        <Alert color={delivery.state === 'retrying' ? 'amber' : 'red'} p="xs">
          {delivery.error}
        </Alert>
      )}
      <Text component="dl" size="sm" className={classes.facts}>
        {facts.map(([label, value]) => value && (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Text>
      <Body title={t('webhooks.sent')} text={delivery.body} />
      {delivery.response !== null && <Body title={t('webhooks.answered')} text={delivery.response} />}
      <Group>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={again.isPending}
          disabled={!canRedeliver}
          onClick={() => again.mutate()}
        >
          {t('webhooks.redeliver')}
        </Button>
        {!canRedeliver && (
          <Text size="xs" c="dimmed">
            {t('webhooks.redeliverOff')}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

function Body({ title, text }: { title: string; text: string }) {
  const pretty = prettyJson(text);
  return (
    <div>
      <Group justify="space-between" gap="xs">
        <Text size="sm" fw={600}>
          {title}
        </Text>
        {text !== '' && <CopyButton value={text} label={t('webhooks.copyBody', { what: title })} />}
      </Group>
      {text === '' ? (
        <Text size="sm" c="dimmed">
          {t('webhooks.emptyBody')}
        </Text>
      ) : (
        <Code block className={classes.code} tabIndex={0} role="region" aria-label={title}>
          {pretty}
        </Code>
      )}
    </div>
  );
}

/** Returns the name of an event; an unknown one by its key. */
function eventName(event: string): string {
  if (event === 'webhook.test' || event === 'webhook.batch') return t(`webhooks.event.${event}`);
  const known = GROUPS.flatMap((it) => [...EVENTS[it]]).find((it) => it === event);
  return known ? t(`webhooks.event.${known}`) : event;
}
