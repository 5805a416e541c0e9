import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import type { Search } from '~/search-params';
import { type ListState, readState, writeState } from './list-state';

export type ChangeState = (change: Partial<ListState>, how?: { replace?: boolean }) => void;

/** The state of a list, which lives in the address. What changes begins at the first page again. */
export function useListState(workspace: string, type: string): [ListState, ChangeState] {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const state = useMemo(() => readState(search), [search]);
  const change = useCallback<ChangeState>(
    (change, { replace = false } = {}) => {
      navigate({
        to: '/w/$workspace/content/$type',
        params: { workspace, type },
        search: (before: Search) => writeState({ ...readState(before), offset: 0, ...change }),
        replace,
        // Only another page is read from its top.
        resetScroll: change.offset !== undefined,
      });
    },
    [navigate, workspace, type],
  );
  return [state, change];
}
