import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { SearchState } from './state';

/** The results of each kind where all kinds are shown. */
const FEW = 8;
/** The results of a page where one kind is shown. */
const PAGE = 25;

/** The results page by page. */
export function searchQuery(workspace: string, { q, kind, types, status, locale }: SearchState) {
  const wanted = {
    q: q.trim(),
    limit: kind ? PAGE : FEW,
    ...(kind && { kinds: kind }),
    ...(types.length > 0 && { types: types.join(',') }),
    ...(status.length > 0 && { status: status.join(',') }),
    ...(locale && { locale }),
  };
  return infiniteQueryOptions({
    queryKey: queryKeys.searchPage(workspace, wanted),
    queryFn: async ({ signal, pageParam: offset }) =>
      (await call(api.GET('/admin/api/search', { params: { query: { ...wanted, offset } }, signal }))).data,
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (kind && last.more.includes(kind) ? pages.length * PAGE : undefined),
    enabled: wanted.q !== '',
    placeholderData: keepPreviousData,
  });
}
