/** What the server knows of media files, and how it is asked. */
import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, call } from '~/api/client';
import { queryClient } from '~/api/query';
import type { MediaItem } from '~/api/schema';
import { type MediaClass, mediaClass } from './kinds';

export const MEDIA_SORTS = ['-uploaded_at', 'uploaded_at', 'name', '-name', '-size', 'size'] as const;
export type MediaSort = (typeof MEDIA_SORTS)[number];

export interface MediaFilter {
  q?: string | undefined;
  /** With all below it; empty for files without one; `undefined` for all files. */
  category?: string | undefined;
  type?: MediaClass | undefined;
  visibility?: MediaItem['visibility'] | undefined;
  /** Only what no entry shows. */
  unused?: boolean | undefined;
  /** Only pictures that nobody has described. The server has no such filter. */
  missingAlt?: boolean | undefined;
  sort?: MediaSort | undefined;
}

const PAGE = 60;
/** Where the page itself does the filtering, it should not ask too often. */
const LARGE_PAGE = 500;

/** Whether a file is a picture that has no alternative text. */
export function lacksAlt(item: MediaItem): boolean {
  return mediaClass(item.mime) === 'image' && item.alt === '';
}

function mediaQuery(workspace: string, filter: MediaFilter) {
  const { missingAlt, unused, q, ...rest } = filter;
  const limit = missingAlt ? LARGE_PAGE : PAGE;
  const query = {
    ...rest,
    ...(q && { q }),
    ...(missingAlt && { type: 'image' as const }),
    ...(unused && { unused }),
    limit,
  };
  return infiniteQueryOptions({
    queryKey: [workspace, 'media', 'list', query],
    queryFn: async ({ pageParam, signal }) =>
      call(api.GET('/admin/api/media', { params: { query: { ...query, offset: pageParam } }, signal })),
    initialPageParam: 0,
    getNextPageParam: ({ data, meta }) => {
      const next = meta.offset + data.length;
      return data.length > 0 && next < meta.total ? next : undefined;
    },
    placeholderData: keepPreviousData,
  });
}

/** A list of media that grows page by page; `keep` leaves out what the server cannot be asked for. */
export function useMediaList(workspace: string, filter: MediaFilter, keep?: (item: MediaItem) => boolean) {
  const query = useInfiniteQuery(mediaQuery(workspace, filter));
  const { data, hasNextPage, isFetchingNextPage, isError, fetchNextPage } = query;
  const { missingAlt } = filter;
  const found = useMemo(() => {
    const all = unique(data?.pages.flatMap((page) => page.data) ?? []);
    return missingAlt ? all.filter(lacksAlt) : all;
  }, [data, missingAlt]);
  const items = useMemo(() => (keep ? found.filter(keep) : found), [found, keep]);
  const filtersHere = missingAlt || keep !== undefined;
  useEffect(() => {
    // Of a filter that works here nobody can tell how much is to come, so all is fetched at once.
    if (missingAlt && hasNextPage && !isFetchingNextPage && !isError) void fetchNextPage();
  }, [missingAlt, hasNextPage, isFetchingNextPage, isError, fetchNextPage]);
  const last = data?.pages.at(-1)?.meta;
  return {
    query,
    items,
    /** How many there are; unknown while a filter that works here has not seen all of them. */
    total: filtersHere ? (hasNextPage ? undefined : items.length) : last?.total,
    categories: last?.categories ?? NONE,
  };
}

const NONE: readonly string[] = [];

/** Pages shift when a file is added in between: what is on two of them is shown once. */
function unique(items: readonly MediaItem[]): MediaItem[] {
  return [...new Map(items.map((item) => [item.filename, item])).values()];
}

/** One file. */
export function mediaItemQuery(workspace: string, filename: string) {
  return queryOptions({
    queryKey: [workspace, 'media', 'file', filename],
    queryFn: async () =>
      (await call(api.GET('/admin/api/media/{filename}', { params: { path: { filename } } }))).data,
  });
}

/** Which entries show a file, and how many more do that the user may not read. */
export function usagesQuery(workspace: string, filename: string) {
  return queryOptions({
    queryKey: [workspace, 'media', 'usages', filename],
    queryFn: async () =>
      call(
        api.GET('/admin/api/media/{filename}/usages', {
          params: { path: { filename }, query: { limit: 50 } },
        }),
      ),
  });
}

/** How many files a category has, with those below it; all for `undefined`. */
export function categoryCountQuery(workspace: string, category: string | undefined) {
  return queryOptions({
    queryKey: [workspace, 'media', 'count', category ?? null],
    queryFn: async () => {
      const query = { limit: 1, ...(category !== undefined && { category }) };
      return (await call(api.GET('/admin/api/media', { params: { query } }))).meta.total;
    },
    staleTime: 30_000,
  });
}

/** All categories of the workspace. */
export function categoriesQuery(workspace: string) {
  return queryOptions({
    queryKey: [workspace, 'media', 'categories'],
    queryFn: async () =>
      (await call(api.GET('/admin/api/media', { params: { query: { limit: 1 } } }))).meta.categories,
    staleTime: 30_000,
  });
}

/** Fetches anew all that is shown of a workspace's media. */
export function refreshMedia(workspace: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [workspace, 'media'] });
}
