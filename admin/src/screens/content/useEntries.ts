import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { request } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { AdminEntry } from '~/api/schema';
import type { Search } from '~/search-params';
import type { Status } from '~/ui/status';
import { fieldsParam, type ListField } from './fields';
import { asParams, listSearch, type ListState } from './list-state';

export type Counts = Partial<Record<Status, number>>;

export interface EntryList {
  data: readonly AdminEntry[];
  meta: { total: number; limit: number; offset: number; sort: string; order: string; counts?: Counts };
}

/** The query of the page that is shown, as the API takes it. */
export function pageSearch(state: ListState, columns: readonly ListField[], limit: number): Search {
  return {
    ...listSearch(state),
    limit: String(limit),
    ...(state.offset > 0 && { offset: String(state.offset) }),
    fields: fieldsParam(columns),
  };
}

/** Fetches a list of entries; also for what a screen needs in passing. */
export function fetchEntries(type: string, search: Search, signal?: AbortSignal): Promise<EntryList> {
  return request<EntryList>(`/admin/api/content/${type}`, { query: asParams(search), signal });
}

/** Fetched entries of a list, kept under its address. */
export function entriesQuery(workspace: string, type: string, search: Search) {
  return queryOptions({
    queryKey: queryKeys.entryList(workspace, type, asParams(search).toString()),
    queryFn: ({ signal }) => fetchEntries(type, search, signal),
    placeholderData: keepPreviousData,
  });
}

/** Returns the number of entries of each status, among those that the search and the other filters find. */
export function useStatusCounts(workspace: string, type: string, state: ListState): Counts | undefined {
  const search: Search = {
    ...listSearch({ ...state, sort: '', filters: state.filters.filter((it) => it.field !== 'status') }),
    fields: 'title',
    limit: '1',
    counts: 'status',
  };
  return useQuery(entriesQuery(workspace, type, search)).data?.meta.counts;
}

/** Puts an entry as it is now in the place of what is shown of it, wherever that is. */
export function replaceEntry(workspace: string, entry: AdminEntry): void {
  queryClient.setQueriesData<EntryList>({ queryKey: queryKeys.entryLists(workspace, entry.type) }, (list) =>
    list?.data.some((it) => it.id === entry.id)
      ? { ...list, data: list.data.map((it) => (it.id === entry.id ? entry : it)) }
      : list,
  );
}

/** Marks all that was fetched of a type as stale. */
export function refreshEntries(workspace: string, type: string): Promise<unknown> {
  return Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.entries(workspace, type) }),
    queryClient.invalidateQueries({ queryKey: queryKeys.types(workspace) }),
    queryClient.invalidateQueries({ queryKey: queryKeys.trash(workspace) }),
    queryClient.invalidateQueries({ queryKey: queryKeys.dashboard(workspace) }),
  ]);
}

/** Longer lists are not put in order by hand. */
export const ORDERED_AT_MOST = 5000;

/** All entries of a type in the order of a field, with no more of each than that. */
export async function fetchOrder(type: string, field: string, locale: string): Promise<readonly AdminEntry[]> {
  const { data } = await fetchEntries(type, { sort: field, fields: field, limit: String(ORDERED_AT_MOST), ...(locale && { locale }) });
  return data;
}

/** The number of ids that one request asks for, when all matches are wanted. */
const IDS_AT_ONCE = 5000;

/** The ids of everything that a list finds, not only of the page that is shown. */
export async function fetchAllIds(type: string, state: ListState, onProgress: (count: number) => void): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const search: Search = {
      ...listSearch({ ...state, sort: 'id' }),
      fields: 'title',
      limit: String(IDS_AT_ONCE),
      offset: String(ids.length),
    };
    const { data, meta } = await fetchEntries(type, search);
    ids.push(...data.map((it) => it.id));
    onProgress(ids.length);
    if (data.length === 0 || ids.length >= meta.total) return ids;
  }
}
