/** The words and filters of a search, as the address of the screen has them. */
import type { Search } from '~/search-params';
import { STATUSES, type Status } from '~/ui/status';

export const KINDS = ['entries', 'media', 'types'] as const;
export type Kind = (typeof KINDS)[number];

export interface SearchState {
  q: string;
  /** The one kind of results that is shown; all if there is none. */
  kind: Kind | undefined;
  types: readonly string[];
  status: readonly Status[];
  locale: string;
}

/** Reads an address; what makes no sense in it is left out. */
export function readSearch(search: Search): SearchState {
  const list = (name: string) => text(search[name]).split(',').filter(Boolean);
  const kind = KINDS.find((it) => it === search.kind);
  return {
    q: text(search.q),
    kind,
    types: list('types'),
    status: STATUSES.filter((it) => list('status').includes(it)),
    locale: text(search.locale),
  };
}

/** The address for a search. Types and statuses are those of entries. */
export function writeSearch({ q, kind, types, status, locale }: SearchState): Search {
  const sifts = types.length > 0 || status.length > 0;
  return {
    q: q || undefined,
    kind: sifts ? 'entries' : kind,
    types: types.join(',') || undefined,
    status: status.join(',') || undefined,
    locale: locale || undefined,
  };
}

/** Checks whether anything but the words narrows the search. */
export function isSifted({ kind, types, status, locale }: SearchState): boolean {
  return kind !== undefined || types.length > 0 || status.length > 0 || locale !== '';
}

function text(value: Search[string]): string {
  return (Array.isArray(value) ? value.at(-1) : value) ?? '';
}
