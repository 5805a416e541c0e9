import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import { queryKeys } from '~/api/keys';
import type { AdminEntry, Revision } from '~/api/schema';
import { useEditing } from '../context';
import { readEntry } from '../data';
import { type Shape, valuesOf } from '../form/form';
import { useFormState } from '../form/store';
import type { Pair } from './pairs';
import { findSourceThen, type SourceThen, type Version } from './staleness';

/** The number of versions that are fetched at a time, and the most that are looked at. */
const PAGE = 25;
const MOST = 200;

/** Some earlier versions; the first page has what is live as well. */
interface Page {
  live: AdminEntry | undefined;
  revisions: readonly Revision[];
  total: number;
}

interface SourceHistory {
  sourceThen: ReadonlyMap<string, SourceThen>;
  /** True until all is known that can be. */
  isLoading: boolean;
}

/**
 * Returns what the source of each field said when it was translated. Versions are fetched until that is
 * known of every field. Nothing is known of new entries, and without the permission to read versions.
 */
export function useSourceHistory(pairs: readonly Pair[]): SourceHistory {
  const { workspace, type, id = '', form, rights } = useEditing();
  const base = useFormState(form, (state) => state.base);
  const query = useInfiniteQuery({
    queryKey: queryKeys.translationHistory(workspace, type.name, id),
    queryFn: ({ pageParam, signal }) => fetchPage(type, id, pageParam, signal),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, it) => sum + it.revisions.length, 0);
      return last.revisions.length === 0 || loaded >= Math.min(last.total, MOST) ? undefined : loaded;
    },
    enabled: id !== '' && rights.revisions,
  });
  const { data, hasNextPage, isFetching, isLoading, isError, fetchNextPage } = query;
  const found = useMemo(() => {
    const versions = data ? [{ values: base }, ...versionsOf(type, data.pages)] : [];
    return pairs.map((pair) => [pair.name, findSourceThen(versions, pair)] as const);
  }, [type, base, data, pairs]);
  const needsMore = hasNextPage && found.some(([, it]) => it && !it.isDecided);
  useEffect(() => {
    if (needsMore && !isFetching && !isError) void fetchNextPage();
  }, [needsMore, isFetching, isError, fetchNextPage]);
  const sourceThen = useMemo(() => {
    const known = found.filter((it): it is readonly [string, SourceThen] => it[1] !== undefined && (it[1].isDecided || !hasNextPage));
    return new Map(known);
  }, [found, hasNextPage]);
  return { sourceThen, isLoading: isLoading || (needsMore && !isError) };
}

async function fetchPage(shape: Shape, id: string, offset: number, signal: AbortSignal): Promise<Page> {
  // The live version comes first: if it is replaced meanwhile, it is among the earlier ones as well.
  const live = offset === 0 ? await readLive(shape, id) : undefined;
  const query = { limit: PAGE, offset, ...(shape.root_locale && { locale: shape.root_locale }) };
  const params = { path: { collection: shape.name, identifier: id }, query };
  try {
    const { data, meta } = await call(api.GET('/admin/api/content/{collection}/{identifier}/revisions', { params, signal }));
    return { live, revisions: data, total: Number(meta?.total ?? data.length) };
  } catch (error) {
    // What is only proposed has no earlier versions.
    if (isApiError(error, 'not_found')) return { live, revisions: [], total: 0 };
    throw error;
  }
}

async function readLive(shape: Shape, id: string): Promise<AdminEntry | undefined> {
  try {
    return await readEntry(shape, id);
  } catch (error) {
    if (isApiError(error, 'not_found')) return undefined;
    throw error;
  }
}

/** All versions from the newest to the oldest. A revision says what replaced it. */
function versionsOf(shape: Shape, pages: readonly Page[]): Version[] {
  const live = pages[0]?.live;
  if (!live) return [];
  const revisions = pages.flatMap((it) => it.revisions);
  const states = [live, ...revisions.map((it) => it.entry)];
  return states.map((entry, at) => ({
    values: valuesOf(shape, entry),
    at: revisions[at]?.created_at,
    by: revisions[at]?.created_by_name,
  }));
}
