import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';

/** The number of versions that are loaded at a time. */
export const PAGE = 50;

/** The entry as it is now, in the locale of its root values. */
export function currentQuery(workspace: string, type: ContentTypeShape, id: string) {
  return queryOptions({
    queryKey: queryKeys.currentEntry(workspace, type.name, id),
    queryFn: async ({ signal }) =>
      (
        await call(
          api.GET('/admin/api/content/{collection}/{identifier}', {
            params: { path: { collection: type.name, identifier: id }, query: inRoot(type) },
            signal,
          }),
        )
      ).data,
  });
}

/** Earlier states, the newest first. */
export function revisionsQuery(workspace: string, type: ContentTypeShape, id: string, limit: number) {
  return queryOptions({
    queryKey: queryKeys.revisions(workspace, type.name, id, limit),
    queryFn: async ({ signal }) => {
      const { data, meta } = await call(
        api.GET('/admin/api/content/{collection}/{identifier}/revisions', {
          params: { path: { collection: type.name, identifier: id }, query: { limit, ...inRoot(type) } },
          signal,
        }),
      );
      return { revisions: data, total: Number(meta?.total ?? data.length) };
    },
    placeholderData: keepPreviousData,
  });
}

function inRoot(type: ContentTypeShape): { locale?: string } {
  return type.root_locale ? { locale: type.root_locale } : {};
}
