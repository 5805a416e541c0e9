import { Stack } from '@mantine/core';
import { IconStack2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Dashboard as Glance } from '~/api/schema';
import { useCan, useMe } from '~/api/session';
import { formatMoment, t } from '~/i18n';
import { EmptyState, NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { PageHead } from '~/ui/PageHead';
import { Time } from '~/ui/Time';
import { Waiting } from '~/ui/Waiting';
import { useWorkspace } from '~/workspace';
import { ActivityCard } from './ActivityCard';
import { ChangesCard } from './ChangesCard';
import classes from './Dashboard.module.css';
import { DashboardSkeleton } from './DashboardSkeleton';
import { EntryRows } from './EntryRows';
import { Guide } from './Guide';
import { Overview } from './Overview';
import { Panel } from './Panel';
import { ProblemsCard } from './ProblemsCard';
import { dashboardQuery, useMyDrafts } from './queries';
import { QuickActions } from './QuickActions';
import { SamplesCard } from './SamplesCard';
import { StorageCard } from './StorageCard';
import { TypeCards } from './TypeCards';

/** The number of recently edited entries that are shown. */
const RECENT = 8;

/** A workspace at a glance: what there is, what is going on, what needs somebody. */
export default function Dashboard() {
  const workspace = useWorkspace();
  const me = useMe();
  const can = useCan();
  const may = can('dashboard.read', 'dashboard:*');
  const dashboard = useQuery({ ...dashboardQuery(workspace), enabled: may });
  const label = me.workspaces.find((it) => it.slug === workspace)?.label ?? workspace;
  return (
    <>
      <PageHead title={t('dashboard.title')} description={label} actions={<QuickActions workspace={workspace} />} />
      {!may && <NoPermission action="dashboard.read" />}
      {may && dashboard.isPending && <DashboardSkeleton />}
      {dashboard.isError && !dashboard.data && <ErrorState error={dashboard.error} onRetry={() => void dashboard.refetch()} />}
      {dashboard.data && <Cards workspace={workspace} dashboard={dashboard.data} />}
    </>
  );
}

function Cards({ workspace, dashboard }: { workspace: string; dashboard: Glance }) {
  const { entries, problems, recent, recent_activity: activity, scheduled, storage } = dashboard;
  return (
    <>
      <Guide workspace={workspace} dashboard={dashboard} />
      <Stack gap="md">
        <SamplesCard workspace={workspace} />
        {problems && problems.count > 0 && <ProblemsCard workspace={workspace} problems={problems} />}
        <Overview dashboard={dashboard} />
        <div className={classes.columns}>
          <Stack gap="md" miw={0}>
            {entries.by_type.length > 0 ? (
              <TypeCards workspace={workspace} types={entries.by_type} />
            ) : (
              <Panel title={t('dashboard.content')}>
                <EmptyState icon={IconStack2} title={t('dashboard.noTypes')}>
                  {t('dashboard.noTypesHint')}
                </EmptyState>
              </Panel>
            )}
            <Panel title={t('dashboard.recent')}>
              <EntryRows
                workspace={workspace}
                rows={recent.slice(0, RECENT).map((row) => ({ ...row, note: <LastChange row={row} /> }))}
                empty={t('dashboard.noRecent')}
              />
            </Panel>
          </Stack>
          <Stack gap="md" miw={0}>
            <ChangesCard workspace={workspace} />
            <MyDrafts workspace={workspace} />
            <Panel title={t('dashboard.scheduled')}>
              <EntryRows
                workspace={workspace}
                rows={scheduled.map((row) => ({ ...row, note: `${row.type_label} · ${formatMoment(row.published_at ?? '')}` }))}
                plain
                empty={t('dashboard.noScheduled')}
              />
            </Panel>
            {activity && <ActivityCard workspace={workspace} rows={activity} />}
            {problems?.count === 0 && <ProblemsCard workspace={workspace} problems={problems} />}
            {storage && <StorageCard storage={storage} />}
          </Stack>
        </div>
      </Stack>
    </>
  );
}

function LastChange({ row }: { row: Glance['recent'][number] }) {
  return (
    <>
      {row.type_label} · <Time value={row.updated_at} />
      {row.updated_by_name && ` · ${row.updated_by_name}`}
    </>
  );
}

/** The drafts of the user. */
function MyDrafts({ workspace }: { workspace: string }) {
  const drafts = useMyDrafts(workspace);
  return (
    <Panel title={t('dashboard.drafts')}>
      {drafts ? (
        <EntryRows
          workspace={workspace}
          rows={drafts.map((row) => ({ ...row, note: <Time value={row.updated_at} /> }))}
          plain
          empty={t('dashboard.noDrafts')}
        />
      ) : (
        <Waiting quiet heights={[44]} />
      )}
    </Panel>
  );
}
