import { Button, Stack, Text, Title } from '@mantine/core';
import { IconActivity, IconArrowUp } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useServerEvents } from '~/api/events';
import { queryClient } from '~/api/query';
import { useCan, useContentTypes } from '~/api/session';
import { dayOf } from '~/fields/dates';
import { language, t } from '~/i18n';
import type { Search } from '~/search-params';
import { Announce } from '~/ui/Announce';
import { EmptyState, NoMatch, NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { PageHead } from '~/ui/PageHead';
import { Waiting } from '~/ui/Waiting';
import { ActivityFilters } from './ActivityFilters';
import { ActivityRow } from './ActivityRow';
import { activityQuery, NEW_ROWS_MAX, newActivityQuery } from './data';
import { ExportButton } from './ExportButton';
import { type Filters, filtersOf, groupByDay, isFiltered, isSifted, uniqueRows } from './rows';
import classes from './activity.module.css';

const route = getRouteApi('/inside/w/$workspace/activity');

/** The activity: each event with its actor and object, the latest first. */
export default function Activity() {
  const can = useCan();
  if (!can('activity.read', 'activity:*')) {
    return (
      <>
        <PageHead title={t('shell.activity')} />
        <NoPermission action="activity.read" />
      </>
    );
  }
  return <Log />;
}

function Log() {
  const { workspace } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const filters = filtersOf(search);
  const change = (part: Search) => void navigate({ search: (it: Search) => ({ ...it, ...part }), replace: true });
  const query = useInfiniteQuery(activityQuery(filters, workspace));
  const rows = uniqueRows(query.data?.pages.flatMap((it) => it.rows) ?? []);
  const last = query.data?.pages.at(-1);
  const clear = () => void navigate({ search: { scope: search.scope } });
  return (
    <>
      <PageHead
        title={t('shell.activity')}
        description={t('activity.description')}
        actions={rows.length > 0 ? <ExportButton filters={filters} workspace={workspace} /> : undefined}
      />
      <Stack gap="md">
        <ActivityFilters filters={filters} onChange={change} />
        {query.isPending && <Waiting what={t('shell.activity')} heights={[52, 52, 52, 52, 52, 52]} />}
        {query.error && !query.data && <ErrorState error={query.error} onRetry={query.refetch} />}
        {query.data && <NewPill filters={filters} workspace={workspace} first={rows[0]?.id} />}
        {query.data && rows.length === 0 && last?.next === undefined && (
          <Nothing filters={filters} onClear={clear} onEverywhere={() => change({ scope: 'all' })} />
        )}
        {last && rows.length > 0 && <Count count={isSifted(filters) ? rows.length : last.total} sifted={isSifted(filters) && last.next !== undefined} />}
        <Days filters={filters} rows={rows} workspace={workspace} />
        {last?.next !== undefined && (
          <Button variant="default" mx="auto" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t('activity.more')}
          </Button>
        )}
        {last?.complete === false && (
          <Text size="sm" c="dimmed" ta="center">
            {t('activity.incomplete')}
          </Text>
        )}
      </Stack>
    </>
  );
}

function Nothing({ filters, onClear, onEverywhere }: { filters: Filters; onClear: () => void; onEverywhere: () => void }) {
  if (isFiltered(filters)) return <NoMatch onClear={onClear} />;
  const elsewhere = !filters.everywhere && (
    <Button variant="default" onClick={onEverywhere}>
      {t('activity.showEverywhere')}
    </Button>
  );
  return (
    <EmptyState icon={IconActivity} title={t(filters.everywhere ? 'activity.none' : 'activity.noneHere')} action={elsewhere}>
      {t('activity.noneHint')}
    </EmptyState>
  );
}

function Count({ count, sifted }: { count: number; sifted: boolean }) {
  const text = sifted ? t('activity.countSoFar', { count }) : t('activity.count', { count });
  return (
    <>
      <Text size="sm" c="dimmed">
        {text}
      </Text>
      <Announce text={text} />
    </>
  );
}

/** Says how much came meanwhile, and shows it when asked. */
function NewPill({ filters, workspace, first }: { filters: Filters; workspace: string; first: string | undefined }) {
  const { data: count = 0, refetch } = useQuery(newActivityQuery(filters, workspace, first, true));
  useServerEvents(({ event }) => {
    if (/^(content|media|schema)\./.test(event)) void refetch();
  });
  const label = count >= NEW_ROWS_MAX ? t('activity.newMany', { number: NEW_ROWS_MAX }) : t('activity.new', { count });
  const show = () => {
    void queryClient.resetQueries({ queryKey: activityQuery(filters, workspace).queryKey, exact: true });
    window.scrollTo({ top: 0 });
  };
  return (
    <div className={count > 0 ? classes.pill : 'visually-hidden'} role="status">
      {count > 0 && (
        <Button size="compact-sm" radius="xl" leftSection={<IconArrowUp size={14} aria-hidden />} onClick={show}>
          {label}
        </Button>
      )}
    </div>
  );
}

function Days({ filters, rows, workspace }: { filters: Filters; rows: ReturnType<typeof uniqueRows>; workspace: string }) {
  const types = useContentTypes(workspace);
  const labelOf = (name: string) => types.find((it) => it.name === name)?.label ?? name;
  return groupByDay(rows).map(({ day, rows }) => (
    <section key={day} aria-labelledby={`day-${day}`}>
      <Title order={2} size="h4" id={`day-${day}`} className={classes.day}>
        {dayName(day)}
      </Title>
      <ol className={classes.list}>
        {rows.map((row) => (
          <ActivityRow key={row.id} row={row} labelOf={labelOf} everywhere={filters.everywhere} />
        ))}
      </ol>
    </section>
  ));
}

/** `Today`, `Yesterday`, else the date with its day of the week. */
function dayName(day: string): string {
  const before = (days: number) => dayOf(new Date(Date.now() - days * 86_400_000));
  if (day === before(0)) return t('activity.today');
  if (day === before(1)) return t('activity.yesterday');
  return new Intl.DateTimeFormat(language(), { dateStyle: 'full' }).format(new Date(`${day}T12:00:00`));
}
