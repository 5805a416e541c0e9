import { Anchor, Box, Card, Group, Text } from '@mantine/core';
import { IconChevronRight, IconGitPullRequest } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ACTIVE_STATES, type ChangeState, PENDING } from '~/api/changes/change';
import { changeListQuery, usePendingChange } from '~/api/changes/queries';
import type { Change } from '~/api/schema';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { changeLink } from '~/links';
import { Paging } from '~/screens/content/Paging';
import type { Search } from '~/search-params';
import { Announce } from '~/ui/Announce';
import { EmptyState, NoMatch } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { FilterTabs } from '~/ui/FilterTabs';
import { Waiting } from '~/ui/Waiting';
import { DataTable } from '~/ui/table/DataTable';
import type { Column } from '~/ui/table/types';
import { Time } from '~/ui/Time';
import { useWorkspace } from '~/workspace';
import { changeName, isListed, planText, stateText } from '../change';
import classes from '../changes.module.css';
import { StateBadge } from '../StateBadge';

/** The states by which the list can be narrowed; the first is that of whoever asks for none. */
const FILTERS = ['active', 'in_review', 'approved', 'published', 'closed', 'all'] as const;
type Filter = (typeof FILTERS)[number];

const PAGE = 50;

interface ChangeListProps {
  search: Search;
  onAsk: (search: Search) => void;
  /** The button that begins a change. */
  create: ReactNode;
}

/** The own pending change, and the named ones, the latest begun first. */
export function ChangeList({ search, onAsk, create }: ChangeListProps) {
  const workspace = useWorkspace();
  const me = useMe();
  const filter = FILTERS.find((it) => it === search.state) ?? 'active';
  const limit = Number(search.limit) || PAGE;
  const offset = Number(search.offset) || 0;
  const answer = useQuery(changeListQuery(workspace, { states: statesOf(filter), limit, offset }));
  const rows = answer.data?.data.filter((it) => isListed(it, me.id));
  const total = answer.data?.meta.total ?? 0;
  return (
    <>
      <OwnChange />
      <Box mb="sm">
        <FilterTabs
          label={t('changes.byState')}
          tabs={FILTERS.map((it) => ({ value: it, label: filterText(it) }))}
          value={filter}
          onChange={(it) => onAsk({ state: it === 'active' ? undefined : it, offset: undefined })}
        />
      </Box>
      {answer.isError && !rows ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : rows?.length === 0 ? (
        <Nothing filter={filter} create={create} onClear={() => onAsk({ state: 'all', offset: undefined })} />
      ) : (
        <DataTable
          caption={t('changes.title')}
          columns={columnsFor(workspace, me.id)}
          rows={rows ?? []}
          rowKey={(it) => it.id}
          loading={rows ? undefined : 4}
          busy={answer.isPlaceholderData}
          rowState={({ state }) => ({ muted: state === 'closed' })}
        />
      )}
      {rows && <Announce text={t('changes.found', { count: rows.length })} />}
      {total > Math.min(limit, PAGE) && (
        <Paging
          offset={offset}
          limit={limit}
          total={total}
          onPage={(next) => onAsk({ offset: next > 0 ? String(next) : undefined })}
          onSize={(next) => onAsk({ limit: String(next), offset: undefined })}
        />
      )}
    </>
  );
}

function statesOf(filter: Filter): readonly ChangeState[] {
  if (filter === 'all') return [];
  return filter === 'active' ? ACTIVE_STATES : [filter];
}

function filterText(filter: Filter): string {
  return filter === 'all' || filter === 'active' ? t(`changes.filter.${filter}`) : t(stateText(filter as ChangeState));
}

function Nothing({ filter, create, onClear }: { filter: Filter; create: ReactNode; onClear: () => void }) {
  if (filter !== 'active' && filter !== 'all') return <NoMatch onClear={onClear}>{t('changes.noneInState')}</NoMatch>;
  return (
    <EmptyState icon={IconGitPullRequest} title={t('changes.empty')} action={create}>
      {t('changes.emptyHint')}
    </EmptyState>
  );
}

/** The reader's own pending change. */
function OwnChange() {
  const workspace = useWorkspace();
  const own = usePendingChange(workspace);
  if (own === undefined) return <Waiting quiet what={t('changes.own')} heights={[72]} mb="lg" />;
  const count = own?.entries.length ?? 0;
  const head = (
    <>
      <div>
        <Text fw={600}>{t('changes.own')}</Text>
        <Text size="sm" c="dimmed">
          {count > 0 ? t('changes.ownCount', { count }) : t('changes.ownNone')}
        </Text>
      </div>
      {count > 0 && <IconChevronRight size={18} aria-hidden className={classes.chevron} />}
    </>
  );
  if (count === 0) {
    return (
      <Card mb="lg" padding="md" className={classes.own}>
        {head}
      </Card>
    );
  }
  return (
    <Card
      mb="lg"
      padding="md"
      renderRoot={(props) => <Link {...props} {...changeLink(workspace, PENDING)} />}
      className={classes.own}
      data-filled
    >
      {head}
    </Card>
  );
}

function columnsFor(workspace: string, me: string): Column<Change>[] {
  return [
    { key: 'label', label: t('changes.one'), primary: true, render: (change) => <Name change={change} workspace={workspace} me={me} /> },
    { key: 'state', label: t('changes.column.state'), width: 130, render: ({ state }) => <StateBadge state={state} /> },
    {
      key: 'entries',
      label: t('changes.column.entries'),
      width: 110,
      render: ({ entries }) => <Text size="sm">{t('general.entries', { count: entries.length })}</Text>,
    },
    {
      key: 'plan',
      label: t('changes.column.plan'),
      width: 210,
      render: (change) => (
        <Text size="sm" c={change.failure ? 'red' : undefined}>
          {change.failure ? t('changes.planFailed') : change.published_at ? <Published at={change.published_at} /> : (planText(change) ?? '–')}
        </Text>
      ),
    },
    {
      key: 'author',
      label: t('changes.column.author'),
      width: 140,
      render: ({ author_name }) => <Text size="sm">{author_name ?? '–'}</Text>,
    },
    {
      key: 'updated',
      label: t('changes.column.updated'),
      width: 130,
      render: ({ updated_at }) => (
        <Text size="sm">
          <Time value={updated_at} />
        </Text>
      ),
    },
  ];
}

function Published({ at }: { at: string }) {
  return (
    <>
      {t('changes.wentLive')} <Time value={at} />
    </>
  );
}

function Name({ change, workspace, me }: { change: Change; workspace: string; me: string }) {
  return (
    <div>
      <Group gap={6}>
        <Anchor
          renderRoot={(props) => <Link {...props} {...changeLink(workspace, change.id)} />}
          className={classes.name}
        >
          {changeName(change, me)}
        </Anchor>
      </Group>
      {change.note && (
        <Text size="xs" c="dimmed" lineClamp={1}>
          {change.note}
        </Text>
      )}
    </div>
  );
}
