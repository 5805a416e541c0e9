/** The queries for media files. */
import { infiniteQueryOptions, keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { collectPages } from '~/api/pages';
import { queryClient } from '~/api/query';
import type { MediaItem, Usage } from '~/api/schema';
import { withBase } from '~/base';
import { lacksAlt, type MediaFilter } from './filter';

const PAGE = 60;
/** The size of a page where the page itself filters, so that it does not ask too often. */
const LARGE_PAGE = 500;

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
    queryKey: queryKeys.mediaList(workspace, query),
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
    /** The number of files; unknown while a filter that works here has not seen all of them. */
    total: filtersHere ? (hasNextPage ? undefined : items.length) : last?.total,
    categories: last?.categories ?? NONE,
  };
}

const NONE: readonly string[] = [];

/** Pages shift when a file is added in between: what is on two of them is shown once. */
function unique(items: readonly MediaItem[]): MediaItem[] {
  return [...new Map(items.map((item) => [item.filename, item])).values()];
}

/** The number of files that one request asks for, when all matches are wanted. */
const FILES_AT_ONCE = 5000;

/** All files that a list finds, however few of them one answer may have. */
export async function fetchAllMedia(filter: Omit<MediaFilter, 'missingAlt'>): Promise<MediaItem[]> {
  const found = await collectPages((offset) =>
    call(api.GET('/admin/api/media', { params: { query: { ...filter, limit: FILES_AT_ONCE, offset } } })),
  );
  return unique(found);
}

/** One file. */
export function mediaItemQuery(workspace: string, filename: string) {
  return queryOptions({
    queryKey: queryKeys.mediaItem(workspace, filename),
    queryFn: async () =>
      (await call(api.GET('/admin/api/media/{filename}', { params: { path: { filename } } }))).data,
  });
}

/** The places that use a file. */
export interface Usages {
  usages: readonly Usage[];
  /** Of places that the user may know; not all of them need be in `usages`. */
  total: number;
  /** Places in entries that the user may not read. */
  hidden: number;
}

/** The entries that show a file, and the number of those that the user may not read. */
export function usagesQuery(workspace: string, filename: string) {
  return queryOptions({
    queryKey: queryKeys.mediaUsages(workspace, filename),
    queryFn: async (): Promise<Usages> => {
      const params = { path: { filename }, query: { limit: 50 } };
      const { data, meta } = await call(api.GET('/admin/api/media/{filename}/usages', { params }));
      const { total = data.length, hidden = 0 } = (meta ?? {}) as { total?: number; hidden?: number };
      return { usages: data, total, hidden };
    },
  });
}

/** The earlier bytes of a file, newest first. */
export function revisionsQuery(workspace: string, filename: string) {
  return queryOptions({
    queryKey: queryKeys.mediaRevisions(workspace, filename),
    queryFn: async () =>
      (await call(api.GET('/admin/api/media/{filename}/revisions', { params: { path: { filename } } }))).data,
  });
}

/** The address of earlier bytes of a file; the workspace is yet to be named. */
export function revisionAddress(filename: string, revision: string): string {
  return withBase(`/admin/api/media/${encodeURIComponent(filename)}/revisions/${encodeURIComponent(revision)}`);
}

/** The number of files in a category and below it; of all files for `undefined`. */
export function categoryCountQuery(workspace: string, category: string | undefined) {
  return queryOptions({
    queryKey: queryKeys.mediaCount(workspace, category),
    queryFn: async () => {
      const query = { limit: 1, ...(category !== undefined && { category }) };
      return (await call(api.GET('/admin/api/media', { params: { query } }))).meta.total;
    },
    staleTime: 30_000,
  });
}

/** Fetches anew all that is shown of a workspace's media. */
export function refreshMedia(workspace: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.media(workspace) });
}
