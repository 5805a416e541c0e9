import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import type { Row } from './kinds';
import { type Answer, type Filters, gather, isSifted, isWanted, newerThan, serverQuery, unique } from './rows';

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

/** What happened, the latest first, a page after the other. New rows are only counted until asked for. */
export function activityQuery(filters: Filters, workspace: string) {
  return infiniteQueryOptions({
    queryKey: ['activity', workspace, filters],
    queryFn: ({ pageParam }) => gather((offset, limit) => ask(filters, workspace, offset, limit), sift(filters), pageParam, PAGE),
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    // What is being read does not move by itself; whoever comes back sees what is there then.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** How many rows came since the first that is shown; beyond the limit it counts no further. */
export const NEW_MOST = 100;

export function newQuery(filters: Filters, workspace: string, first: string | undefined, shown: boolean) {
  return queryOptions({
    queryKey: ['activity', workspace, filters, 'new', first ?? ''],
    queryFn: async () => {
      const { data } = await ask(filters, workspace, 0, NEW_MOST);
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
    const rows = unique(data).filter((it) => !seen.has(it.id) && (!keep || keep(it)));
    for (const it of rows) seen.add(it.id);
    if (rows.length > 0) pieces.push(`${rows.map((it) => JSON.stringify(it)).join('\n')}\n`);
    onCount(seen.size);
    offset += data.length;
    if (data.length === 0 || offset >= total) return pieces;
  }
  return [];
}
