import { useCallback, useMemo } from 'react';
import type { SavedView } from '~/api/schema';
import { savePreferences, usePreferences } from '~/api/session';
import { showError } from '~/ui/feedback';
import type { ListField } from '../fields';
import { DEFAULT_PAGE_SIZE, type ListState } from '../list-state';
import type { ChangeState } from '../useListState';
import { chosenColumns, type ListPreferences, withListPreferences } from './columns';

export interface ListLayout {
  columns: readonly ListField[];
  widths: Readonly<Record<string, number>>;
  pageSize: number;
  setColumns: (keys: readonly string[] | undefined) => void;
  setWidth: (key: string, width: number) => void;
  setPageSize: (size: number) => void;
}

/**
 * Returns the look of a list: as the opened view says, else as the user left it, else as suits the type. Columns
 * changed while a view is open stay in the address until the view is saved.
 */
export function useListLayout(
  list: string,
  fields: readonly ListField[],
  state: ListState,
  view: SavedView | undefined,
  change: ChangeState,
): ListLayout {
  const preferences = usePreferences();
  const own = preferences.lists?.[list];
  const ofView = view && view.columns.length > 0 ? view.columns : undefined;
  const chosen = state.columns ?? ofView ?? own?.columns;
  const columns = useMemo(() => chosenColumns(fields, chosen), [fields, chosen]);
  const save = useCallback(
    (of: ListPreferences) => savePreferences(withListPreferences(preferences, list, of)).catch(showError),
    [preferences, list],
  );
  const inView = view !== undefined;
  return {
    columns,
    widths: own?.widths ?? NO_WIDTHS,
    pageSize: state.limit ?? (Number(preferences.pageSize) || DEFAULT_PAGE_SIZE),
    setColumns: useCallback(
      (keys) => {
        if (inView) change({ columns: keys, offset: state.offset }, { replace: true });
        else void save({ columns: keys ? [...keys] : undefined });
      },
      [inView, change, save, state.offset],
    ),
    setWidth: useCallback((key, width) => void save({ widths: { ...own?.widths, [key]: width } }), [save, own]),
    setPageSize: useCallback(
      (size) => {
        change({ limit: undefined }, { replace: true });
        savePreferences({ pageSize: size }).catch(showError);
      },
      [change],
    ),
  };
}

const NO_WIDTHS: Readonly<Record<string, number>> = {};
