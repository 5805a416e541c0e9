import { queryOptions, useQuery } from '@tanstack/react-query';
import { changeLatest } from '~/api/change-latest';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { SavedView, SavedViewInput } from '~/api/schema';
import type { Sharing, Views } from './views';

/** Saved views with what a change of them is conditional on. */
interface TaggedViews extends Views {
  etag: string;
}

async function tagged(answer: Promise<{ data?: { data: Views }; error?: unknown; response: Response }>): Promise<TaggedViews> {
  const { data } = await call(answer);
  return { ...data, etag: (await answer).response.headers.get('ETag') ?? '' };
}

function viewsQuery(workspace: string, type: string) {
  return queryOptions({
    queryKey: queryKeys.views(workspace, type),
    queryFn: () => tagged(api.GET('/admin/api/views/{collection}', { params: { path: { collection: type } } })),
    staleTime: 60_000,
  });
}

/** The saved views of a list. */
export function useViews(workspace: string, type: string): Views | undefined {
  return useQuery(viewsQuery(workspace, type)).data;
}

/** Changes one's own views, or those for everybody, on top of what was saved elsewhere since they were read. */
export async function changeViews(
  workspace: string, type: string, of: Sharing, change: (views: readonly SavedView[]) => SavedViewInput[],
): Promise<Views> {
  const query = viewsQuery(workspace, type);
  const saved = await changeLatest(
    (anew) => (anew ? queryClient.fetchQuery({ ...query, staleTime: 0 }) : queryClient.ensureQueryData(query)),
    (known) => {
      const [params, body] = [{ path: { collection: type } }, { [of]: change(known[of]) }];
      return tagged(api.PUT('/admin/api/views/{collection}', { params, body, headers: { 'If-Match': known.etag } }));
    },
  );
  queryClient.setQueryData(query.queryKey, saved);
  return saved;
}
