import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { SavedViewInput } from '~/api/schema';
import type { Sharing, Views } from './views';

function viewsQuery(workspace: string, type: string) {
  return queryOptions({
    queryKey: queryKeys.views(workspace, type),
    queryFn: async (): Promise<Views> =>
      (await call(api.GET('/admin/api/views/{collection}', { params: { path: { collection: type } } }))).data,
    staleTime: 60_000,
  });
}

/** The saved views of a list. */
export function useViews(workspace: string, type: string): Views | undefined {
  return useQuery(viewsQuery(workspace, type)).data;
}

/** Puts other views in the place of one's own, or of those for everybody. */
export async function saveViews(
  workspace: string, type: string, change: Partial<Record<Sharing, readonly SavedViewInput[]>>,
): Promise<Views> {
  const body = Object.fromEntries(Object.entries(change).map(([of, views]) => [of, [...views]]));
  const { data } = await call(api.PUT('/admin/api/views/{collection}', { params: { path: { collection: type } }, body }));
  queryClient.setQueryData(viewsQuery(workspace, type).queryKey, data);
  return data;
}
