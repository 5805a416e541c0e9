/** The days of a month, and what happens on them. */
import { dayOf } from '~/fields/dates';

export type HappeningKind = 'publish' | 'end' | 'entry' | 'entryEnd' | 'published';

/** Something that goes live or ends at a moment. */
export interface Happening {
  key: string;
  kind: HappeningKind;
  at: string;
  title: string;
  /** The content type of an entry. */
  type?: string;
  /** The id of the change, or of the entry. */
  id: string;
}

/** A month as `2026-05`. */
export type Month = string;

export function monthOf(day: string): Month {
  return day.slice(0, 7);
}

/** Returns the month of a text, or the one of a day if the text is none. */
export function parseMonth(text: string | undefined, today: string): Month {
  return text && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? text : monthOf(today);
}

/** Returns the day some days after another one. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T12:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

export function addMonths(month: Month, months: number): Month {
  const date = new Date(`${month}-01T12:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 7);
}

/** Returns the same day of another month, or its last one. */
export function moveToMonth(day: string, month: Month): string {
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const same = `${month}-${day.slice(8)}`;
  return same > last ? last : same;
}

/** Returns the weeks that a month is part of, as days. `first` is the first day of a week: 0 is Sunday. */
export function weeksOf(month: Month, first: number): string[][] {
  const begin = `${month}-01`;
  const weekday = new Date(`${begin}T12:00:00Z`).getUTCDay();
  let day = addDays(begin, -((weekday - first + 7) % 7));
  const weeks: string[][] = [];
  while (weeks.length === 0 || monthOf(day) === month) {
    weeks.push(Array.from({ length: 7 }, (_, index) => addDays(day, index)));
    day = addDays(day, 7);
  }
  return weeks;
}

/** Returns the moments between which the days of a calendar lie, where the reader is. */
export function boundsOf(weeks: readonly (readonly string[])[]): { from: string; until: string } {
  const first = weeks[0]?.[0] ?? '';
  const last = weeks.at(-1)?.at(-1) ?? first;
  return { from: momentOf(first), until: momentOf(addDays(last, 1)) };
}

function momentOf(day: string): string {
  return `${new Date(`${day}T00:00:00`).toISOString().slice(0, 19)}Z`;
}

/** Returns what happens by day, in the order of time. */
export function byDay(happenings: readonly Happening[]): ReadonlyMap<string, readonly Happening[]> {
  const days = new Map<string, Happening[]>();
  for (const it of happenings.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))) {
    const day = dayOf(new Date(it.at));
    const there = days.get(day);
    if (there) there.push(it);
    else days.set(day, [it]);
  }
  return days;
}

/** Returns the day that a key moves to from another one; nothing for any other key. */
export function dayByKey(key: string, day: string, first: number): string | undefined {
  const weekday = (new Date(`${day}T12:00:00Z`).getUTCDay() - first + 7) % 7;
  switch (key) {
    case 'ArrowLeft':
      return addDays(day, -1);
    case 'ArrowRight':
      return addDays(day, 1);
    case 'ArrowUp':
      return addDays(day, -7);
    case 'ArrowDown':
      return addDays(day, 7);
    case 'Home':
      return addDays(day, -weekday);
    case 'End':
      return addDays(day, 6 - weekday);
    case 'PageUp':
      return moveToMonth(day, addMonths(monthOf(day), -1));
    case 'PageDown':
      return moveToMonth(day, addMonths(monthOf(day), 1));
    default:
      return undefined;
  }
}
