import { Text } from '@mantine/core';
import { IconCalendarTime, IconChecks, IconGitPullRequestDraft, type TablerIcon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { PENDING } from '~/api/changes/change';
import { activeChangesQuery, usePendingChange } from '~/api/changes/queries';
import { formatMoment, t } from '~/i18n';
import { changeLink, changesLink } from '~/links';
import classes from './Dashboard.module.css';
import { Panel } from './Panel';
import { waitingChanges } from './waiting';

const ICONS: Record<'own' | 'approve' | 'planned', TablerIcon> = { own: IconGitPullRequestDraft, approve: IconChecks, planned: IconCalendarTime };

/** The changes that wait: for their author, for the reader's approval, for their time. */
export function ChangesCard({ workspace }: { workspace: string }) {
  const pending = usePendingChange(workspace);
  const active = useQuery(activeChangesQuery(workspace)).data;
  const rows = waitingChanges(pending, active ?? []);
  // Whoever has none does not work with changes.
  if (rows.length === 0) return null;
  return (
    <Panel title={t('dashboard.changes')} more={{ label: t('dashboard.changes.all'), link: changesLink(workspace) }}>
      <ul className={classes.rows}>
        {rows.map(({ reason, change, at }) => {
          const Icon = ICONS[reason];
          const count = t('general.entries', { count: change.entries.length });
          const why = { own: '', approve: t('dashboard.changes.approve'), planned: t('dashboard.changes.planned', { time: formatMoment(at) }) }[reason];
          return (
            <li key={change.id}>
              <Link {...changeLink(workspace, reason === 'own' ? PENDING : change.id)} className={classes.row}>
                <Icon size={18} aria-hidden className={classes.rowIcon} />
                <span className={classes.rowText}>
                  <span className={classes.rowTitle}>{reason === 'own' ? t('dashboard.changes.own') : change.label}</span>
                  <Text span size="xs" c="dimmed" className={classes.rowNote}>
                    {[why, count].filter(Boolean).join(' · ')}
                  </Text>
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
