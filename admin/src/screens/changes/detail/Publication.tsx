import { Alert, Button, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle, IconX } from '@tabler/icons-react';
import { isActive } from '~/api/changes/change';
import { updateChange } from '~/api/changes/requests';
import type { Change } from '~/api/schema';
import { formatDateTime, t } from '~/i18n';
import { Message } from '~/ui/Message';
import { limits, obstacles, planText } from '../change';
import classes from '../changes.module.css';
import type { ChangeActions } from './useChangeActions';

/** The publication of a change, planned or done, and what stands against it. */
export function Publication({ change, actions }: { change: Change; actions: ChangeActions }) {
  const active = isActive(change);
  const against = obstacles(change);
  const others = limits(change);
  const plan = planText(change);
  return (
    <section className={classes.panel} aria-labelledby="change-publication">
      <Title order={2} size="h4" id="change-publication" mb={6}>
        {t('changes.publication')}
      </Title>
      <Stack gap="xs">
        <Text size="sm">{stateSentence(change)}</Text>
        {active && plan && (
          <div>
            <Text size="sm" fw={600}>
              {plan}
            </Text>
            {change.may.manage && (
              <Button
                variant="subtle"
                size="compact-xs"
                mt={4}
                leftSection={<IconX size={13} aria-hidden />}
                loading={actions.pending === 'unplan'}
                onClick={() =>
                  void actions.attempt('unplan', () => updateChange(change.id, { publish_at: null, unpublish_at: null }), t('changes.done.unplan'))
                }
              >
                {t('changes.removePlan')}
              </Button>
            )}
          </div>
        )}
        {change.failure && (
          <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('changes.planFailed')}>
            <Text size="xs" mb={4}>
              {formatDateTime(change.failure.at)}
            </Text>
            <Message text={change.failure.message} />
          </Alert>
        )}
        {against.length > 0 && (
          <div id="change-obstacles">
            {against.map((it) => (
              <Text key={it} size="sm" c="dimmed">
                {it}
              </Text>
            ))}
          </div>
        )}
        {others.map((it) => (
          <Text key={it} size="sm" c="dimmed">
            {it}
          </Text>
        ))}
      </Stack>
    </section>
  );
}

function stateSentence(change: Change): string {
  if (change.state === 'published') {
    return t('changes.said.published', { time: change.published_at ? formatDateTime(change.published_at) : '' });
  }
  if (change.pending) return t('changes.said.pending');
  return t(`changes.said.${change.state}`);
}
