/** Rows are found, collected and grouped here. The server knows some filters; the others are applied here. */
import { dayOf } from '~/fields/dates';
import type { Search } from '~/search-params';
import { detailOf, type Row } from './kinds';

/** The filters of the activity, as the address of the page has them. */
export interface Filters {
  q: string;
  /** Kinds and groups of kinds. */
  kinds: string[];
  level: string;
  user: string;
  source: string;
  type: string;
  /** Days of the reader. */
  since: string;
  until: string;
  /** True if the whole installation is meant, not one workspace. */
  everywhere: boolean;
}

function one(value: Search[string]): string {
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

export function filtersOf(search: Search): Filters {
  return {
    q: one(search.q),
    kinds: one(search.kind).split(',').filter(Boolean),
    level: one(search.level),
    user: one(search.user),
    source: one(search.source),
    type: one(search.type),
    since: one(search.since),
    until: one(search.until),
    everywhere: search.scope === 'all',
  };
}

/** Checks whether less than everything is asked for. */
export function isFiltered(filters: Filters): boolean {
  const { kinds, everywhere: _, ...texts } = filters;
  return kinds.length > 0 || Object.values(texts).some((it) => it !== '');
}

/** The beginning or end of a day, where the reader is. */
function moment(day: string, time: string): string | undefined {
  const date = new Date(`${day}T${time}`);
  return day && !Number.isNaN(date.getTime()) ? date.toISOString().replace(/\.\d+Z$/, 'Z') : undefined;
}

/** The part of the filters that the server applies. */
export function serverQuery(filters: Filters, workspace: string) {
  const level = (['info', 'warning', 'error'] as const).find((it) => it === filters.level);
  return {
    ...(filters.q && { q: filters.q }),
    ...(filters.kinds.length > 0 && { type: filters.kinds.join(',') }),
    ...(level && { level }),
    ...(filters.user && { user: filters.user }),
    ...(!filters.everywhere && { workspace }),
    since: moment(filters.since, '00:00:00'),
    until: moment(filters.until, '23:59:59'),
  };
}

/** Checks whether some of the filters are applied here. */
export function isSifted(filters: Filters): boolean {
  return filters.source !== '' || filters.type !== '';
}

/** The part of the filters that the server does not know. */
export function isWanted(filters: Filters, row: Row): boolean {
  if (filters.source && row.source !== filters.source) return false;
  return !filters.type || (/^(content|schema)\./.test(row.type) && detailOf(row, 'type') === filters.type);
}

/** A page as the server gives it. */
export interface Answer {
  data: readonly Row[];
  total: number;
  complete: boolean;
}

export interface Page {
  rows: Row[];
  /** The offset to go on from; nothing at the end. */
  next: number | undefined;
  total: number;
  complete: boolean;
}

const CHUNK = 500;
/** The number of chunks to search before the reader is asked whether to go on. */
const CHUNKS_AT_ONCE = 8;

/**
 * The next rows from an offset on. Where rows are sifted here, so many of the server's are looked
 * through as it takes to find enough, or until it has been looked for long enough.
 */
export async function collectRows(
  ask: (offset: number, limit: number) => Promise<Answer>,
  sift: ((row: Row) => boolean) | undefined,
  offset: number,
  want: number,
): Promise<Page> {
  const limit = sift ? CHUNK : want;
  const rows: Row[] = [];
  let at = offset;
  for (let chunk = 0; ; chunk += 1) {
    const { data, total, complete } = await ask(at, limit);
    for (const row of data) {
      at += 1;
      if (!sift || sift(row)) rows.push(row);
      if (rows.length === want) break;
    }
    const ended = data.length === 0 || at >= total;
    if (ended || rows.length >= want || !sift || chunk + 1 >= CHUNKS_AT_ONCE) {
      return { rows, next: ended ? undefined : at, total, complete };
    }
  }
}

/** Rows without repetition: while one reads on, new ones move the others further back. */
export function uniqueRows(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((it) => [it.id, it])).values()];
}

/** Counts the rows before the first that is shown. */
export function newerThan(rows: readonly Row[], first: string | undefined): number {
  const index = rows.findIndex((it) => it.id === first);
  return index < 0 ? rows.length : index;
}

/** Rows by day, in the order that they come in. */
export function groupByDay(rows: readonly Row[]): { day: string; rows: Row[] }[] {
  const days: { day: string; rows: Row[] }[] = [];
  for (const row of rows) {
    const day = dayOf(new Date(row.time));
    const last = days.at(-1);
    if (last?.day === day) last.rows.push(row);
    else days.push({ day, rows: [row] });
  }
  return days;
}
