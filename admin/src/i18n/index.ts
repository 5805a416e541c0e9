/**
 * The languages of the interface. Texts are looked up by key; a key that is missing in any language
 * does not compile. Changing the language mounts the interface anew, so `t` is a plain function.
 */
import type first from './en.first';
import type later from './en.later';
import type writing from './en.writing';
import type { Message } from './message';

export type Key = keyof typeof first | keyof typeof writing | keyof typeof later;
type Texts = Readonly<Partial<Record<Key, Message>>>;
export type Params = Readonly<Record<string, string | number>>;

/** Every language with the three files of its texts: of the first screens, of those where content is written, and of all others. */
export const LANGUAGES = [
  {
    code: 'en',
    name: 'English',
    first: () => import('./en.first'),
    writing: () => import('./en.writing'),
    later: () => import('./en.later'),
  },
  {
    code: 'de',
    name: 'Deutsch',
    first: () => import('./de.first'),
    writing: () => import('./de.writing'),
    later: () => import('./de.later'),
  },
  {
    code: 'fr',
    name: 'Français',
    first: () => import('./fr.first'),
    writing: () => import('./fr.writing'),
    later: () => import('./fr.later'),
  },
] as const;
export type Language = (typeof LANGUAGES)[number]['code'];

/** The texts that are loaded together. */
export type TextGroup = 'first' | 'writing' | 'later';

const STORED = 'recto.language';
let current: Language = 'en';
let texts: Texts = {};
const loaded = new Set<TextGroup>();
let plural = new Intl.PluralRules('en');

export function language(): Language {
  return current;
}

/** The language asked for last on this browser, else the browser's own. */
export function preferredLanguage(): Language {
  const wanted = [read(STORED), ...navigator.languages.map((it) => it.slice(0, 2))];
  return wanted.flatMap((code) => LANGUAGES.filter((it) => it.code === code))[0]?.code ?? 'en';
}

function entryOf(code: Language): (typeof LANGUAGES)[number] {
  return LANGUAGES.find((it) => it.code === code) ?? LANGUAGES[0];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Loads a language and makes it the one that `t` speaks. */
export async function setLanguage(code: Language): Promise<void> {
  loaded.add('first');
  const all = await Promise.all([...loaded].map((group) => entryOf(code)[group]()));
  texts = Object.assign({}, ...all.map((it) => it.default));
  current = code;
  plural = new Intl.PluralRules(code);
  document.documentElement.lang = code;
  try {
    localStorage.setItem(STORED, code);
  } catch {
    // It will be asked of the browser again next time.
  }
}

/** Loads the texts of some screens, or of all; those of the first ones are there from the beginning. */
export async function loadTexts(groups: readonly TextGroup[] = ['writing', 'later']): Promise<void> {
  const missing = groups.filter((it) => !loaded.has(it));
  if (missing.length === 0) return;
  const code = current;
  const rest = await Promise.all(missing.map((group) => entryOf(code)[group]()));
  // The language may have been changed meanwhile.
  if (code !== current) return loadTexts(groups);
  texts = Object.assign({}, texts, ...rest.map((it) => it.default));
  for (const group of missing) loaded.add(group);
}

/** The text of a key. `{name}` becomes the parameter; `count` picks the form. */
export function t(key: Key, params: Params = {}): string {
  return fill(texts[key] ?? key, params);
}

/** A message with its parameters. */
export function fill(message: Message, params: Params): string {
  const text = typeof message === 'string' ? message : pick(message, params.count);
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name];
    return value === undefined ? whole : typeof value === 'number' ? formatNumber(value) : value;
  });
}

function pick(forms: Exclude<Message, string>, count: string | number | undefined): string {
  return (typeof count === 'number' && forms[plural.select(count)]) || forms.other;
}

/** The language as it is written where the reader lives: `en-GB` for English on a British browser. */
export function region(): string {
  const wanted = typeof navigator === 'undefined' ? [] : navigator.languages;
  return wanted.find((it) => it.split('-')[0] === current) ?? current;
}

export function formatNumber(value: number): string {
  return new Intl.NumberFormat(region()).format(value);
}

/** `12.4 MB`, in decimal units. */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return new Intl.NumberFormat(region(), {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: value < 10 && step > 0 ? 1 : 0,
  }).format(value);
}

/** A limit in bytes, which is a round number of binary units as a rule: `5 MiB`. */
export function formatLimit(bytes: number): string {
  const step = bytes % 1024 ** 3 === 0 ? 3 : 2;
  const size = bytes / 1024 ** step;
  return Number.isInteger(size) ? `${formatNumber(size)} ${step === 3 ? 'GiB' : 'MiB'}` : formatBytes(bytes);
}

/** The clock that times are shown by: as is usual in the language, unless the reader chose another one. */
export type Clock = '12' | '24';
let clock: Clock | undefined;

export function currentClock(): Clock | undefined {
  return clock;
}

export function setClock(chosen: Clock | undefined): void {
  clock = chosen;
}

/** The part of a format that says which clock it is. */
function hours(): Intl.DateTimeFormatOptions {
  return clock ? { hourCycle: clock === '12' ? 'h12' : 'h23' } : {};
}

/** A moment, in the reader's own time zone. */
export function formatDateTime(iso: string, style: 'short' | 'long' = 'short'): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return new Intl.DateTimeFormat(region(), {
    dateStyle: style === 'long' ? 'full' : 'medium',
    timeStyle: style === 'long' ? 'medium' : 'short',
    ...hours(),
  }).format(date);
}

/** A moment for people: `tomorrow, 14:30` for a day that is near, else its date. */
export function formatMoment(iso: string, now: Date = new Date()): string {
  const date = new Date(iso);
  const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
  // Days that begin an hour earlier or later are days too; what is no moment is near to nothing.
  if (!(Math.abs(days) <= 1)) return formatDateTime(iso);
  const name = new Intl.RelativeTimeFormat(region(), { numeric: 'auto' }).format(days, 'day');
  return `${name}, ${new Intl.DateTimeFormat(region(), { timeStyle: 'short', ...hours() }).format(date)}`;
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

/** A time of day: `14:30`, `14:30:05`. */
export function formatTime(time: string): string {
  const date = new Date(`2000-01-01T${time}Z`);
  if (Number.isNaN(date.getTime())) return time;
  return new Intl.DateTimeFormat(region(), { timeStyle: time.length > 5 ? 'medium' : 'short', timeZone: 'UTC', ...hours() }).format(date);
}

/** A day that is in no time zone: `2026-05-03`. */
export function formatDate(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  return new Intl.DateTimeFormat(region(), { dateStyle: 'medium', timeZone: 'UTC' }).format(date);
}

const STEPS: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [7, 'day'],
  [4.345, 'week'],
  [12, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
];

/** `3 minutes ago`, `in 2 days`. */
export function formatRelative(iso: string, now: number = Date.now()): string {
  let value = (new Date(iso).getTime() - now) / 1000;
  if (Number.isNaN(value)) return iso;
  const format = new Intl.RelativeTimeFormat(region(), { numeric: 'auto' });
  for (const [size, unit] of STEPS) {
    if (Math.abs(value) < size) return format.format(Math.round(value), unit);
    value /= size;
  }
  return iso;
}

/** The name of a language, in the language of the interface, with a capital as on a label. */
export function localeName(code: string): string {
  try {
    const name = new Intl.DisplayNames([current], { type: 'language' }).of(code) ?? code;
    return name === code ? code : name.charAt(0).toLocaleUpperCase(current) + name.slice(1);
  } catch {
    // Codes of one's own invention have no name.
    return code;
  }
}

/** `Label: value`, with the colon as the language writes it. */
export function labelled(label: string, value: string): string {
  return t('general.labelled', { label, value });
}

/** `a, b and c`. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(region(), { type: 'conjunction' }).format(items);
}
