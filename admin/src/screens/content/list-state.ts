/** The state of a list, as its address has it. The address is the query of the API, and so can be shared. */
import type { Search } from '~/search-params';
import { type Filter, filterSearch, parseFilters } from './filter/filters';

export interface ListState {
  q: string;
  filters: readonly Filter[];
  /** `-date,title`, or nothing for the server's own order. */
  sort: string;
  /** Empty for the type's default locale. */
  locale: string;
  /** Rows of a page; nothing for what the user prefers. */
  limit: number | undefined;
  offset: number;
  /** The saved view that was opened. */
  view: string;
  /** Columns that differ from those of the view. */
  columns: readonly string[] | undefined;
}

/** The order in which the server lists entries when it is told none. */
export const DEFAULT_SORT = '-created_at';

/** Page sizes to choose from; a page of more than 200 rows is drawn as far as it is in sight. */
export const PAGE_SIZES = [25, 50, 100, 200, 1000] as const;
export const DEFAULT_PAGE_SIZE = 50;

/** The state that an address says. */
export function readState(search: Search): ListState {
  const columns = one(search.columns);
  return {
    q: one(search.q),
    filters: parseFilters(search),
    sort: one(search.sort),
    locale: one(search.locale),
    limit: number(one(search.limit)) || undefined,
    offset: number(one(search.offset)),
    view: one(search.view),
    columns: columns ? columns.split(',') : undefined,
  };
}

/** The address of a state. What is as it always is stays out. */
export function writeState(state: ListState): Search {
  return {
    ...listSearch(state),
    ...(state.limit && { limit: String(state.limit) }),
    ...(state.offset > 0 && { offset: String(state.offset) }),
    ...(state.view && { view: state.view }),
    ...(state.columns && { columns: state.columns.join(',') }),
  };
}

/** Returns the part of a state that a saved view keeps: all but the place in the list, and its look. */
export function listSearch(state: Pick<ListState, 'q' | 'filters' | 'sort' | 'locale'>): Search {
  return {
    ...(state.q && { q: state.q }),
    ...filterSearch(state.filters),
    ...(state.sort && { sort: state.sort }),
    ...(state.locale && { locale: state.locale }),
  };
}

/** The parameters of a search as the API takes them. */
export function asParams(search: Search): URLSearchParams {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const it of Array.isArray(value) ? value : [value]) if (it !== undefined) params.append(key, it);
  }
  return params;
}

/** Checks whether anything narrows the list. */
export function isNarrowed(state: Pick<ListState, 'q' | 'filters'>): boolean {
  return state.q !== '' || state.filters.length > 0;
}

function one(value: string | string[] | undefined): string {
  return (Array.isArray(value) ? value.at(-1) : value) ?? '';
}

function number(text: string): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : 0;
}
