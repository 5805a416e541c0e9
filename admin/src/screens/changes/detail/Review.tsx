import { Badge, Stack, Text, Title } from '@mantine/core';
import type { Change } from '~/api/schema';
import { t } from '~/i18n';
import { Time } from '~/ui/Time';
import classes from '../changes.module.css';

/** The approvals of a change, and whether they still count. */
export function Review({ change }: { change: Change }) {
  const { approvals, approvals_required: required, review } = change;
  if (required === 0 && approvals.length === 0 && !review && change.state === 'open') return null;
  const current = approvals.filter((it) => it.current).length;
  return (
    <section className={classes.panel} aria-labelledby="change-review">
      <Title order={2} size="h4" id="change-review" mb={6}>
        {t('changes.review')}
      </Title>
      <Stack gap="xs">
        <Text size="sm" c="dimmed">
          {required > 0 ? t('changes.approvalsOf', { count: current, required }) : t('changes.approvalsOptional')}
        </Text>
        {review && (
          <div>
            <Text size="sm" className={classes.note}>
              {review.note || t(change.state === 'open' ? 'changes.returned' : 'changes.requested')}
            </Text>
            <Text size="xs" c="dimmed">
              {review.by_name ?? t('changes.somebody')} · <Time value={review.at} />
            </Text>
          </div>
        )}
        {approvals.length > 0 && (
          <ul className={classes.rows}>
            {approvals.map((it) => (
              <li key={it.by}>
                <Text size="sm">
                  {it.by_name ?? t('changes.somebody')}
                  <Text span size="xs" c="dimmed" display="block">
                    <Time value={it.at} />
                  </Text>
                </Text>
                <Badge color={it.current ? 'green' : 'gray'}>{t(it.current ? 'changes.approvalCounts' : 'changes.approvalOutdated')}</Badge>
              </li>
            ))}
          </ul>
        )}
        {approvals.some((it) => !it.current) && (
          <Text size="xs" c="dimmed">
            {t('changes.approvalOutdatedHint')}
          </Text>
        )}
      </Stack>
    </section>
  );
}
