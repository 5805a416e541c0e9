/** Names of content types, fields and blocks: which are allowed, and which to propose. */

const RESERVED_FIELDS = new Set([
  'id', 'type', 'status', 'published_at', 'unpublish_at', 'created_at', 'updated_at', 'author_id', 'updated_by',
  'locale', 'translations', 'data', '_type', '_id',
]);
const RESERVED_TYPES = new Set(['order', 'bulk', 'categories', 'bulk-visibility']);

/** The defects of a name. */
export type NameDefect = 'missing' | 'invalid' | 'reserved' | 'taken';

function has(names: readonly string[], name: string): boolean {
  return names.some((it) => it.toLowerCase() === name.toLowerCase());
}

/** Returns the defect of a field's name among those of its neighbours. */
export function fieldNameDefect(name: string, others: readonly string[]): NameDefect | undefined {
  if (name === '') return 'missing';
  if (!/^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name)) return 'invalid';
  if (RESERVED_FIELDS.has(name)) return 'reserved';
  return others.includes(name) ? 'taken' : undefined;
}

/** Returns the defect of a block type's name among those of its neighbours. */
export function blockNameDefect(name: string, others: readonly string[]): NameDefect | undefined {
  if (name === '') return 'missing';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return 'invalid';
  return others.includes(name) ? 'taken' : undefined;
}

/** Returns the defect of a content type's name among those of the workspace. */
export function typeNameDefect(name: string, others: readonly string[]): NameDefect | undefined {
  if (name === '') return 'missing';
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) return 'invalid';
  if (RESERVED_TYPES.has(name)) return 'reserved';
  return has(others, name) ? 'taken' : undefined;
}

const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', æ: 'ae', ø: 'o', å: 'a', ł: 'l', đ: 'd' };

function plain(text: string, separator: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[äöüßæøåłđ]/g, (letter) => LETTERS[letter] ?? letter)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, separator)
    .slice(0, 60)
    .replaceAll(new RegExp(`^${separator}+|${separator}+$`, 'g'), '');
}

function free(base: string, separator: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(base)) return base;
  let count = 2;
  while (isTaken(`${base}${separator}${count}`)) count += 1;
  return `${base}${separator}${count}`;
}

/** The name of a field that goes with a label and that no neighbour has. */
export function fieldNameFor(label: string, others: readonly string[], otherwise: string): string {
  const base = plain(label, '_') || otherwise;
  const name = /^\d/.test(base) ? `_${base}` : base;
  return free(name, '_', (it) => RESERVED_FIELDS.has(it) || others.includes(it));
}

/** The name of a content type that goes with a label and that no other has. */
export function typeNameFor(label: string, others: readonly string[]): string {
  const base = plain(label, '-');
  return base && free(base, '-', (it) => RESERVED_TYPES.has(it) || has(others, it));
}

/** Returns the name for a copy in a workspace. */
export function copyName(name: string, others: readonly string[]): string {
  return free(`${name.slice(0, 58)}-2`, '-', (it) => has(others, it));
}
