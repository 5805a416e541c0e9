import { Button } from '@mantine/core';
import { IconPlus, IconRefresh } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { usePreferences } from '~/api/session';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { Announce } from '~/ui/Announce';
import { useLetterShortcuts } from '~/ui/shortcuts';
import { PageHead } from '~/ui/PageHead';
import { ApiBar } from './ApiBar';
import { BulkBar } from './bulk/BulkBar';
import { useBulk } from './bulk/useBulk';
import classes from './content.module.css';
import { listFields } from './fields';
import { type ListContext, ListProvider, type Rights, useList } from './list-context';
import { isNarrowed, readState } from './list-state';
import { Failed, NothingFound, NothingYet } from './NothingToShow';
import { orderField } from './order/order';
import { useManualOrder } from './order/useManualOrder';
import { Paging } from './Paging';
import { StatusTabs } from './StatusTabs';
import { EntryTable } from './table/EntryTable';
import { useListLayout } from './table/useListLayout';
import { type ShownRows, useLiveRows } from './table/useLiveRows';
import { Toolbar } from './Toolbar';
import { entriesQuery, pageSearch, useStatusCounts } from './useEntries';
import { type ChangeState, useListState } from './useListState';
import { useUserNames } from './useUserNames';
import { useViews } from './views/useViews';
import { findView } from './views/views';

interface ContentListProps {
  workspace: string;
  type: ContentTypeShape;
  may: Rights;
}

/** The entries of a content type. */
export function ContentList({ workspace, type, may }: ContentListProps) {
  const [state] = useListState(workspace, type.name);
  const users = useUserNames();
  const fields = useMemo(() => listFields(type), [type]);
  const locale = type.locales.includes(state.locale) ? state.locale : type.default_locale;
  // The rights are made anew with every look at them, and compared by what they are.
  const rights = JSON.stringify(may);
  const list = useMemo<ListContext>(
    () => ({ workspace, type, fields, locale, users, may: JSON.parse(rights) }),
    [workspace, type, fields, locale, users, rights],
  );
  return (
    <ListProvider value={list}>
      <Head />
      <Entries />
    </ListProvider>
  );
}

function Head() {
  const { workspace, type, may } = useList();
  const navigate = useNavigate();
  const { letterShortcuts = true } = usePreferences();
  const params = { workspace, type: type.name, id: '~new' };
  useLetterShortcuts({ c: () => navigate({ to: '/w/$workspace/content/$type/$id', params }) }, letterShortcuts && may.create);
  return (
    <PageHead
      title={type.label}
      actions={
        may.create && (
          <Button
            leftSection={<IconPlus size={16} aria-hidden />}
            renderRoot={(props) => <Link {...props} to="/w/$workspace/content/$type/$id" params={params} />}
          >
            {tSingular('content.create', type)}
          </Button>
        )
      }
    />
  );
}

function Entries() {
  const { workspace, type, fields } = useList();
  const [state, change] = useListState(workspace, type.name);
  const views = useViews(workspace, type.name);
  const view = findView(views, state.view);
  const layout = useListLayout(`${workspace}/${type.name}`, fields, state, view?.view, change);
  const limit = layout.pageSize;
  const byHand = orderField(type, fields, state);
  const wanted = byHand ? [...layout.columns, byHand] : layout.columns;
  const query = entriesQuery(workspace, type.name, pageSearch(state, wanted, limit));
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(query);
  const counts = useStatusCounts(workspace, type.name, state);
  const fetched = isPlaceholderData ? undefined : data?.data;
  const steady = useLiveRows(query.queryKey.join('\n'), fetched, isFetching, { workspace, type: type.name });
  const order = useManualOrder(state, steady, query.queryKey, data?.meta.total ?? 0);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { running, actions } = useBulk({
    onChanged: steady.takeOwn,
    onLeft: useCallback((ids: readonly string[]) => setSelected(new Set(ids)), []),
    titles: (id) => steady.rows.find((it) => it.id === id)?.title,
  });
  const clear = useCallback(() => change({ q: '', filters: [] }), [change]);
  const onSearch = useCallback((q: string) => change({ q }, { replace: true }), [change]);

  const total = data?.meta.total ?? 0;
  useLastPage(state.offset, limit, fetched && total, change);
  const waiting = data === undefined && !error;
  const nothing = data !== undefined && total === 0 && steady.rows.length === 0;
  if (nothing && !isNarrowed(state)) return <NothingYet />;
  return (
    <>
      <div className={classes.tabLine}>
        <StatusTabs state={state} counts={counts} change={change} />
        {!order?.saving && <Pill steady={steady} />}
      </div>
      <Toolbar state={state} change={change} layout={layout} views={views} view={view} onSearch={onSearch} />
      {error && !data ? (
        <Failed error={error} onRetry={() => refetch()} onClear={() => change(readState({}))} />
      ) : nothing ? (
        <NothingFound onClear={clear} />
      ) : (
        <>
          <EntryTable
            steady={steady}
            state={state}
            layout={layout}
            change={change}
            actions={actions}
            selected={selected}
            onSelect={setSelected}
            loading={waiting ? 8 : undefined}
            busy={isPlaceholderData}
            order={order}
          />
          <Paging offset={state.offset} limit={limit} total={data?.meta.total} onPage={(offset) => change({ offset })} onSize={layout.setPageSize} />
        </>
      )}
      <ApiBar state={state} limit={limit} />
      <BulkBar selected={selected} total={total} rows={steady.rows} state={state} running={running} actions={actions} onSelect={setSelected} />
      <Announce text={waiting || isPlaceholderData ? '' : t('content.found', { count: total })} />
    </>
  );
}

/** Goes to the last page there is, when the one that the address says has gone with its entries. */
function useLastPage(offset: number, limit: number, total: number | undefined, change: ChangeState): void {
  const beyond = total !== undefined && total > 0 && offset >= total;
  useEffect(() => {
    if (beyond) change({ offset: (Math.ceil(total / limit) - 1) * limit }, { replace: true });
  }, [beyond, total, limit, change]);
}

/** Says that others changed the list, and shows it as it is now when asked to. */
function Pill({ steady }: { steady: ShownRows }) {
  if (!steady.moved) return null;
  return (
    <Button size="compact-sm" radius="xl" variant="light" leftSection={<IconRefresh size={14} aria-hidden />} onClick={steady.take}>
      {steady.fresh > 0 ? t('content.fresh', { count: steady.fresh }) : t('content.moved')}
    </Button>
  );
}
