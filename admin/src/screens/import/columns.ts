/** The columns of a table, read from the beginning of its file, and the fields that they go into. */
import type { ContentTypeShape } from '~/api/fields';
import type { TableFormat } from './kinds';

/** A column with the first value that it has. */
export interface TableColumn {
  name: string;
  sample: string;
}

/** The keys of an entry that columns can go into, as the server knows them. */
const ENTRY_KEYS = ['title', 'slug', 'id', 'status', 'published_at', 'unpublish_at', 'author_id', 'created_at', 'updated_at'] as const;

/** The words for the title in the languages of the interface, but for English. */
const TITLES: readonly string[] = ['titel', 'titre'];

/** The number of items of JSON whose keys are looked at. */
const ITEMS_MAX = 20;

/** The longest sample that is shown. */
const SAMPLE_MAX = 60;

/** Returns the columns of the beginning of a table; none if it cannot be read. */
export function readColumns(format: TableFormat, head: string): TableColumn[] {
  const text = head.replace(/^\uFEFF/, '');
  if (format === 'csv') return csvColumns(text);
  return jsonColumns(format === 'json' ? parseItems(text) : parseLines(text));
}

function csvColumns(text: string): TableColumn[] {
  const rows = csvRows(text, detectDelimiter(text), 2);
  return (rows[0] ?? []).map((name, at) => ({ name, sample: shorten(rows[1]?.[at] ?? '') })).filter((it) => it.name !== '');
}

/** The delimiter that the first line has most often outside of quotes. */
function detectDelimiter(text: string): string {
  const first = (text.trimStart().split(/\r?\n/, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const count = (sign: string) => first.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** Reads so many rows of CSV that are not empty. */
function csvRows(text: string, delimiter: string, most: number): string[][] {
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  const endRow = () => {
    cells.push(cell);
    if (cells.some((it) => it !== '')) rows.push(cells);
    cells = [];
    cell = '';
  };
  for (let at = 0; at < text.length && rows.length < most; at += 1) {
    const sign = text.charAt(at);
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (sign === '"' && cell === '') quoted = true;
    else if (sign === delimiter) {
      cells.push(cell);
      cell = '';
    } else if (sign === '\n') endRow();
    else if (sign !== '\r') cell += sign;
  }
  if (rows.length < most) endRow();
  return rows;
}

type Item = Readonly<Record<string, unknown>>;

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseItems(text: string): Item[] {
  const parsed = parse(text);
  const list = isItem(parsed) ? parsed.data : parsed;
  return Array.isArray(list) ? list.filter(isItem).slice(0, ITEMS_MAX) : [];
}

function parseLines(text: string): Item[] {
  return text.split('\n', ITEMS_MAX).map(parse).filter(isItem);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The keys of all items; what an entry has in `data` counts as its own. */
function jsonColumns(items: readonly Item[]): TableColumn[] {
  const samples = new Map<string, string>();
  const add = (name: string, value: unknown) => {
    if (!samples.get(name)) samples.set(name, show(value));
  };
  for (const item of items) {
    for (const [name, value] of Object.entries(item)) {
      if (name === 'data' && isItem(value)) for (const [inner, it] of Object.entries(value)) add(inner, it);
      else if (name !== 'translations') add(name, value);
    }
  }
  return [...samples].map(([name, sample]) => ({ name, sample }));
}

function show(value: unknown): string {
  if (value === null || value === undefined) return '';
  return shorten(typeof value === 'string' ? value : JSON.stringify(value));
}

function shorten(text: string): string {
  return text.length > SAMPLE_MAX ? `${text.slice(0, SAMPLE_MAX)}…` : text;
}

/** The places of an entry that a column can go into: `title`, fields, and both in other languages. */
export interface Target {
  value: string;
  label: string;
}

/** Returns the targets of a type, without those in other languages. */
export function targetsOf(type: ContentTypeShape): Target[] {
  const own = Object.entries(type.fields).filter(([name]) => name !== 'title' && name !== 'slug');
  const [title, slug, ...keys] = ENTRY_KEYS;
  const target = (value: string) => {
    const label = type.fields[value]?.label;
    return { value, label: label && label !== value ? `${label} (${value})` : value };
  };
  return [title, slug, ...own.map(([name]) => name), ...keys.filter((it) => !(it in type.fields))].map(target);
}

/** Returns what a column goes into by its name or the label of a field; empty for nothing. */
export function guessTarget(type: ContentTypeShape, column: string): string {
  const lower = column.toLowerCase();
  const key = ENTRY_KEYS.find((it) => it === lower);
  if (key) return key;
  if (column in type.fields) return column;
  const field = Object.entries(type.fields).find(([name, it]) => name.toLowerCase() === lower || it.label === column);
  if (field) return field[0];
  if (TITLES.includes(lower)) return 'title';
  const dot = column.lastIndexOf('.');
  if (dot < 0 || !type.locales.includes(column.slice(dot + 1))) return '';
  const inner = guessTarget(type, column.slice(0, dot));
  return inner === 'title' || inner in type.fields ? `${inner}.${column.slice(dot + 1)}` : '';
}

/** Returns what all columns go into, unless the person says otherwise. */
export function guessMap(type: ContentTypeShape, columns: readonly TableColumn[]): Record<string, string> {
  return Object.fromEntries(columns.map(({ name }) => [name, guessTarget(type, name)]));
}

/** The fields by which rows can find their entries: `slug`, `id`, and those that are unique. */
export function keysOf(type: ContentTypeShape): string[] {
  return ['slug', 'id', ...Object.entries(type.fields).filter(([, it]) => it.unique).map(([name]) => name)];
}
