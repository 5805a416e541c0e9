/** The queries of one change. */
import { queryOptions } from '@tanstack/react-query';
import { readDifferences } from '~/api/changes/requests';
import { api, call, request } from '~/api/client';
import { splitForRequests } from '~/api/id-lists';
import { queryKeys } from '~/api/keys';
import type { ActivityRow, AdminEntry, Change } from '~/api/schema';
import { placeOf } from '../change';

/** The differences that a change makes, by entry. */
export function diffQuery(workspace: string, change: string) {
  return queryOptions({ queryKey: queryKeys.changeDiff(workspace, change), queryFn: ({ signal }) => readDifferences(change, signal) });
}

/** The effect of publishing a change, as it was at that time, on readers. */
export function impactQuery(workspace: string, change: string, at: number) {
  return queryOptions({
    queryKey: queryKeys.changeImpact(workspace, change, at),
    queryFn: async ({ signal }) => (await call(api.GET('/admin/api/changes/{change}/impact', { params: { path: { change } }, signal }))).data,
  });
}

/** The entries of a change that are drafts in it, and so are not made public with it. */
export function draftsQuery(workspace: string, change: string, entries: Change['entries']) {
  const kept = entries.filter((it) => it.action !== 'delete');
  return queryOptions({
    queryKey: queryKeys.changeDrafts(workspace, change, kept.map(placeOf)),
    queryFn: async ({ signal }) => {
      const types = [...new Set(kept.map((it) => it.collection))];
      const requests = types.flatMap((type) => {
        const ids = kept.filter((it) => it.collection === type).map((it) => it.id);
        return splitForRequests(ids).map((some) => {
          const query = new URLSearchParams({
            change, 'filter[id][in]': some.join(','), 'filter[status]': 'draft', fields: 'title', limit: String(some.length),
          });
          return request<{ data: AdminEntry[] }>(`/admin/api/content/${encodeURIComponent(type)}`, { query, signal });
        });
      });
      return (await Promise.all(requests)).flatMap((it) => it.data);
    },
  });
}

/** The number of rows of the activity log that are searched for those of one change. */
const ROWS_MAX = 500;

/** The activity of one change, the latest first. */
export function historyQuery(workspace: string, change: string) {
  return queryOptions({
    queryKey: queryKeys.changeHistory(workspace, change),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ type: 'change', workspace, limit: String(ROWS_MAX) });
      const { data } = await request<{ data: ActivityRow[] }>('/admin/api/activity', { query, signal });
      return data.filter((it) => it.details?.change === change);
    },
  });
}
