import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { MediaFilter } from '~/media/filter';
import type { Search } from '~/search-params';
import { useWorkspace } from '~/workspace';
import { type MediaView, readParams, writeFilter } from './params';

/** The state of the library, which lives in its address, and what changes it. */
export function useMediaScreen() {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const search: Search = useSearch({ strict: false });
  const params = useMemo(() => readParams(search), [search]);
  const go = (change: Search, replace: boolean) =>
    navigate({
      to: '/w/$workspace/media',
      params: { workspace },
      search: { ...search, ...change },
      replace,
      resetScroll: false,
    });
  return {
    ...params,
    workspace,
    /** Typing and choosing filters leaves no trail of steps to go back through. */
    setFilter: (filter: MediaFilter) => go(writeFilter(filter), true),
    /** Another place in the library is one, and what was searched for stays behind. */
    setCategory: (category: string | undefined) => go(writeFilter({ category, sort: params.filter.sort }), false),
    setView: (view: MediaView) => go({ view: view === 'grid' ? undefined : view }, true),
    /** Going back closes the panel, whichever file it shows by then. */
    setFile: (file: string | undefined) => go({ file }, params.file !== undefined),
  };
}

/** The state of the library, for the parts of the screen. */
export type MediaScreen = ReturnType<typeof useMediaScreen>;
