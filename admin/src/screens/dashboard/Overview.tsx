import { Text } from '@mantine/core';
import type { Dashboard } from '~/api/schema';
import { formatBytes, formatNumber, t } from '~/i18n';
import { STATUSES } from '~/ui/status';
import classes from './Dashboard.module.css';
import { Panel } from './Panel';

/** The number of entries, and their states. */
export function Overview({ dashboard }: { dashboard: Dashboard }) {
  const { total, by_status } = dashboard.entries;
  const present = STATUSES.filter((it) => (by_status[it] ?? 0) > 0);
  return (
    <Panel title={t('dashboard.entries')}>
      <div className={classes.overview}>
        <div>
          <div className={classes.total}>{formatNumber(total)}</div>
          <Text size="sm" c="dimmed">
            {t('dashboard.entriesIn', { count: dashboard.content_types })}
          </Text>
        </div>
        <div className={classes.shares}>
          <div className={classes.bar} aria-hidden="true">
            {present.map((status) => (
              <span key={status} data-status={status} style={{ flexGrow: by_status[status] ?? 0 }} />
            ))}
          </div>
          <dl className={classes.legend}>
            {STATUSES.map((status) => (
              <div key={status}>
                <dt>
                  <span className={classes.dot} data-status={status} aria-hidden="true" />
                  {t(`general.status.${status}`)}
                </dt>
                <dd>{formatNumber(by_status[status] ?? 0)}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div>
          <div className={classes.total}>{formatNumber(dashboard.media.count)}</div>
          <Text size="sm" c="dimmed">
            {t('dashboard.files', { count: dashboard.media.count, size: formatBytes(dashboard.media.bytes) })}
          </Text>
        </div>
      </div>
    </Panel>
  );
}
