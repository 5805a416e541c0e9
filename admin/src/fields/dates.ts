/** Days and moments: as files have them, and as people type and read them. */
import { isDay } from './shape';

/** The day that a text means, in the order of day and month that the language has. */
export function parseDay(text: string, language: string, today: string = dayOf(new Date())): string | undefined {
  const tidy = text.trim();
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(tidy);
  if (iso) return day(iso[1], iso[2], iso[3]);
  const dotted = /^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{2}|\d{4})?$/.exec(tidy);
  if (dotted) return day(dotted[3] ?? today.slice(0, 4), dotted[2], dotted[1]);
  const slashed = /^(\d{1,2})\/(\d{1,2})(?:\/(\d{2}|\d{4}))?$/.exec(tidy);
  if (slashed) {
    const [, first, second, year = today.slice(0, 4)] = slashed;
    return isMonthFirst(language) ? day(year, first, second) : day(year, second, first);
  }
  return near(tidy, language, today) ?? named(tidy, language, today);
}

/** `today`, `tomorrow`, `übermorgen`: a day by what it is called today. */
function near(text: string, language: string, today: string): string | undefined {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const days = [-2, -1, 0, 1, 2].find((it) => format.format(it, 'day').toLowerCase() === text.toLowerCase());
  return days === undefined ? undefined : new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Tells whether the month comes before the day, as in `5/3/2026` for the third of May. */
function isMonthFirst(language: string): boolean {
  const parts = new Intl.DateTimeFormat(language).formatToParts(0).map((it) => it.type);
  return parts.indexOf('month') < parts.indexOf('day');
}

/** `3 May 2026`, `May 3, 2026`, `3. Mai 2026`: with the name of the month, or its beginning. */
function named(text: string, language: string, today: string): string | undefined {
  const word = /\p{L}+/u.exec(text)?.[0].toLowerCase();
  const numbers = text.match(/\d+/g) ?? [];
  if (!word || word.length < 3 || numbers.length === 0 || numbers.length > 2) return undefined;
  const month = months(language).findIndex((it) => it.startsWith(word) || word.startsWith(it)) + 1;
  const [first, second = today.slice(0, 4)] = numbers;
  return month === 0 ? undefined : day(second, String(month), first);
}

function months(language: string): string[] {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  return Array.from({ length: 12 }, (_, month) => format.format(new Date(Date.UTC(2026, month, 1))).toLowerCase());
}

function day(year: string | undefined, month: string | undefined, date: string | undefined): string | undefined {
  const full = year?.length === 2 ? `20${year}` : year;
  const text = `${full}-${month?.padStart(2, '0')}-${date?.padStart(2, '0')}`;
  return isDay(text) ? text : undefined;
}

/** The day that a moment has here. */
export function dayOf(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** A moment of a file, as day and time of the reader's own time zone; seconds only where there are any. */
export function toLocal(iso: string): { day: string; time: string } {
  const date = new Date(iso);
  const seconds = date.getSeconds();
  return { day: dayOf(date), time: `${two(date.getHours())}:${two(date.getMinutes())}${seconds ? `:${two(seconds)}` : ''}` };
}

/** The moment in UTC that a day and a time here are, as files have it. */
export function toMoment(day: string, time: string): string | undefined {
  const date = new Date(`${day}T${time || '00:00'}`);
  return Number.isNaN(date.getTime()) ? undefined : `${date.toISOString().slice(0, 19)}Z`;
}

/** The time zone here, with what it differs from UTC at a moment (else now): `Europe/Berlin (GMT+2)`. */
export function zoneName(language: string, at?: string | null): string {
  const format = new Intl.DateTimeFormat(language, { timeZoneName: 'shortOffset' });
  const offset = format.formatToParts(at ? new Date(at) : new Date()).find((it) => it.type === 'timeZoneName')?.value ?? '';
  const zone = format.resolvedOptions().timeZone.replaceAll('_', ' ');
  return offset && offset !== zone ? `${zone} (${offset})` : zone;
}

/** The first day of the week where the reader is: 0 is Sunday. */
export function firstDayOfWeek(locale: string): 0 | 1 | 2 | 3 | 4 | 5 | 6 {
  // Not every browser has both ways of asking, and the types of neither are known yet.
  const asked = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?: () => { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  const first = (asked.getWeekInfo?.() ?? asked.weekInfo)?.firstDay ?? 1;
  return (first % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6;
}
