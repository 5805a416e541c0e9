import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { Row } from './kinds';
import { type Answer, collectRows, type Filters, isSifted, isWanted, newerThan, serverQuery, uniqueRows } from './rows';

const PAGE = 50;
/** The server's own limit. */
const MOST = 500;
const LOOK_AGAIN = 15_000;

async function ask(filters: Filters, workspace: string, offset: number, limit: number): Promise<Answer> {
  const query = { ...serverQuery(filters, workspace), offset, limit };
  const { data, meta } = await call(api.GET('/admin/api/activity', { params: { query } }));
  return { data, total: Number(meta?.total ?? data.length), complete: meta?.complete !== false };
}

function sift(filters: Filters): ((row: Row) => boolean) | undefined {
  return isSifted(filters) ? (row) => isWanted(filters, row) : undefined;
}

/** The activity, the latest first, page by page. New rows are only counted until asked for. */
export function activityQuery(filters: Filters, workspace: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.activity(workspace, filters),
    queryFn: ({ pageParam }) => collectRows((offset, limit) => ask(filters, workspace, offset, limit), sift(filters), pageParam, PAGE),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    // What is being read does not move by itself; whoever comes back sees what is there then.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** The number of new rows that are counted at most. */
export const NEW_ROWS_MAX = 100;

export function newActivityQuery(filters: Filters, workspace: string, first: string | undefined, shown: boolean) {
  return queryOptions({
    queryKey: queryKeys.newActivity(workspace, filters, first ?? ''),
    queryFn: async () => {
      const { data } = await ask(filters, workspace, 0, NEW_ROWS_MAX);
      return newerThan(isSifted(filters) ? data.filter((it) => isWanted(filters, it)) : data, first);
    },
    enabled: shown,
    refetchInterval: LOOK_AGAIN,
  });
}

/** Every row that the filters let through, a JSON line each, in pieces. Tells how many it has. */
export async function exportLines(
  filters: Filters,
  workspace: string,
  onCount: (count: number) => void,
  signal: AbortSignal,
): Promise<string[]> {
  const seen = new Set<string>();
  const pieces: string[] = [];
  const keep = sift(filters);
  for (let offset = 0; !signal.aborted; ) {
    const { data, total } = await ask(filters, workspace, offset, MOST);
    const rows = uniqueRows(data).filter((it) => !seen.has(it.id) && (!keep || keep(it)));
    for (const it of rows) seen.add(it.id);
    if (rows.length > 0) pieces.push(`${rows.map((it) => JSON.stringify(it)).join('\n')}\n`);
    onCount(seen.size);
    offset += data.length;
    if (data.length === 0 || offset >= total) return pieces;
  }
  return [];
}
