import { queryOptions, useQueries } from '@tanstack/react-query';
import { api, call, request } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { ActivityRow, AdminEntry } from '~/api/schema';
import { useContentTypes, useMe } from '~/api/session';
import { STEP_EVENTS } from './guide';

/** A workspace at a glance. */
export function dashboardQuery(workspace: string) {
  return queryOptions({
    queryKey: queryKeys.dashboard(workspace),
    queryFn: async ({ signal }) => (await call(api.GET('/admin/api/dashboard', { signal }))).data,
  });
}

/** The events that show which first steps were done. */
export function firstStepsQuery(workspace: string) {
  return queryOptions({
    queryKey: queryKeys.firstSteps(workspace),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ type: STEP_EVENTS.join(','), limit: '200' });
      return (await request<{ data: ActivityRow[] }>('/admin/api/activity', { query, signal })).data;
    },
  });
}

/** The number of drafts that are shown at most. */
const DRAFTS_MAX = 5;

/** The drafts that the user began, of all types, the last changed first; nothing while they are on their way. */
export function useMyDrafts(workspace: string): AdminEntry[] | undefined {
  const me = useMe();
  const types = useContentTypes(workspace);
  return useQueries({
    queries: types.map((type) => ({
      queryKey: queryKeys.drafts(workspace, type.name, me.id),
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        const query = new URLSearchParams({
          'filter[status]': 'draft', 'filter[author_id]': me.id, sort: '-updated_at', limit: String(DRAFTS_MAX), fields: 'title',
        });
        return (await request<{ data: AdminEntry[] }>(`/admin/api/content/${encodeURIComponent(type.name)}`, { query, signal })).data;
      },
    })),
    combine: (answers) =>
      answers.some((it) => it.isPending)
        ? undefined
        : answers
            .flatMap((it) => it.data ?? [])
            .toSorted((a, b) => b.updated_at.localeCompare(a.updated_at))
            .slice(0, DRAFTS_MAX),
  });
}
