/** The queries for the trash. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';

/** The number of entries of each content type in the trash. */
export function trashQuery(workspace: string) {
  return queryOptions({
    queryKey: queryKeys.trashOverview(workspace),
    queryFn: async () => (await call(api.GET('/admin/api/trash'))).data,
  });
}

const PAGE = 50;

/** The entries of a type in the trash, what was deleted last first. */
export function trashListQuery(workspace: string, type: string, q: string) {
  return infiniteQueryOptions({
    queryKey: queryKeys.trashList(workspace, type, q),
    queryFn: async ({ pageParam: offset, signal }) => {
      const params = { path: { collection: type }, query: { limit: PAGE, offset, ...(q && { q }) } };
      const { data, meta } = await call(api.GET('/admin/api/trash/{collection}', { params, signal }));
      return { rows: data, offset, total: Number(meta?.total ?? data.length) };
    },
    initialPageParam: 0,
    getNextPageParam: ({ rows, offset, total }) => {
      const next = offset + rows.length;
      return rows.length > 0 && next < total ? next : undefined;
    },
    placeholderData: keepPreviousData,
  });
}

/** For how many days the trash keeps what is in it; `null` for ever. */
export const retentionQuery = queryOptions({
  queryKey: queryKeys.trashRetention,
  queryFn: async () => (await call(api.GET('/admin/api/settings'))).data.trash_retention_days,
  staleTime: 60_000,
});

/** Fetches anew what restoring and deleting change. */
export async function refreshTrash(workspace: string, type: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.trash(workspace) }),
    queryClient.invalidateQueries({ queryKey: queryKeys.entries(workspace, type) }),
    queryClient.invalidateQueries({ queryKey: queryKeys.types(workspace) }),
    queryClient.invalidateQueries({ queryKey: queryKeys.dashboard(workspace) }),
  ]);
}
