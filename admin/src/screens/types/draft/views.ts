/** The named lists of a content type while they are edited. What the form does not know stays as it is written. */
import type { FieldDefinition } from '~/api/fields';
import { OPERATORS, type Operator, takesMany } from '~/api/operators';
import type { NameDefect } from './names';

/** A list: the parameters of a request for entries. */
export type View = Readonly<Record<string, unknown>>;
export type Views = Readonly<Record<string, unknown>>;

/** The limit of the server. */
export const VIEWS_MAX = 50;

/** A test of a field. */
export interface Condition {
  field: string;
  operator: Operator;
  /** One text, or several for operators that take a list. */
  value: string | readonly string[];
}

/** The lists that a form can show, in their order. */
export function viewList(views: Views): [string, View][] {
  return Object.entries(views).map(([name, view]) => [name, isObject(view) ? view : {}]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the defect of the name of a list among the others. */
export function viewNameDefect(name: string, others: readonly string[]): NameDefect | undefined {
  if (name === '') return 'missing';
  if (!/^[a-z0-9][a-z0-9_-]{0,63}$/.test(name)) return 'invalid';
  return others.includes(name) ? 'taken' : undefined;
}

/** Adds a list under a name that is free. */
export function addView(views: Views, name: string): Views {
  const names = [name, ...Object.keys(views).map((_, at) => `${name}-${at + 2}`)];
  const free = names.find((it) => !(it in views)) ?? name;
  return { ...views, [free]: { sort: '-published_at', limit: 10 } };
}

/** Gives a list another name; it keeps its place. */
export function renameView(views: Views, from: string, to: string): Views {
  return Object.fromEntries(Object.entries(views).map(([name, view]) => [name === from ? to : name, view]));
}

export function removeView(views: Views, name: string): Views {
  return Object.fromEntries(Object.entries(views).filter(([it]) => it !== name));
}

/** Sets a parameter of a list; an empty one is taken away. */
export function setParam(view: View, key: string, value: unknown): View {
  const isEmpty = value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
  if (!isEmpty) return { ...view, [key]: value };
  // Without a number of entries there are no pages.
  const gone = key === 'limit' ? ['limit', 'pages'] : [key];
  return Object.fromEntries(Object.entries(view).filter(([it]) => !gone.includes(it)));
}

/** The names of a parameter that is a text with commas or a list. */
export function namesOf(value: unknown): string[] {
  const list = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value.map(String) : [];
  return list.map((it) => it.trim()).filter(Boolean);
}

/** Writes names in the way in which they were written before. */
export function writtenNames(before: unknown, names: readonly string[]): unknown {
  return typeof before === 'string' && names.length > 0 ? names.join(',') : [...names];
}

/** The tests of a list, one by one. */
export function conditionsOf(filter: unknown): Condition[] {
  if (!isObject(filter)) return [];
  return Object.entries(filter).flatMap(([field, test]): Condition[] => {
    if (Array.isArray(test)) return [{ field, operator: 'in', value: test.map(String) }];
    if (!isObject(test)) return [{ field, operator: 'eq', value: String(test ?? '') }];
    return Object.entries(test).flatMap(([word, value]) => {
      const operator = OPERATORS.find((it) => it === word);
      return operator ? [{ field, operator, value: Array.isArray(value) ? value.map(String) : takesMany(operator) ? namesOf(value) : String(value ?? '') }] : [];
    });
  });
}

/** The tests as a filter, each in its shortest form. Of two that say the same, the last one counts. */
export function filterOf(conditions: readonly Condition[], definitions: Readonly<Record<string, FieldDefinition | undefined>>): Record<string, unknown> | undefined {
  const filter: Record<string, unknown> = {};
  for (const field of new Set(conditions.map((it) => it.field))) {
    const own = conditions.filter((it) => it.field === field);
    const write = ({ operator, value }: Condition) => {
      const one = (text: string) => typed(text, operator, definitions[field]);
      return typeof value === 'string' ? one(value) : value.map(one);
    };
    const [first] = own;
    const isShort = own.length === 1 && (first?.operator === 'eq' || first?.operator === 'in');
    filter[field] = isShort && first ? write(first) : Object.fromEntries(own.map((it) => [it.operator, write(it)]));
  }
  return conditions.length === 0 ? undefined : filter;
}

/** A value as its kind is written: numbers and truths are no texts. */
function typed(text: string, operator: Operator, definition: FieldDefinition | undefined): unknown {
  const kind = operator === 'empty' ? 'boolean' : definition?.type;
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  const isNumber = (kind === 'number' || kind === 'range') && text.trim() !== '' && String(Number(text)) === text;
  return isNumber ? Number(text) : text;
}

/** Lists that name a field by its new key. */
export function renamedViews(views: Views, from: string, to: string): Views {
  const path = (name: string) => (name === from || name.startsWith(`${from}.`) ? to + name.slice(from.length) : name);
  const signed = (name: string) => (name.startsWith('-') ? `-${path(name.slice(1))}` : path(name));
  const names = (value: unknown) => (typeof value === 'string' ? value.split(',').map((it) => signed(it.trim())).join(',') : Array.isArray(value) ? value.map((it) => signed(String(it))) : value);
  const rename = ([name, view]: [string, unknown]): [string, unknown] => {
    if (!isObject(view)) return [name, view];
    const parts = Object.entries(view).map(([key, value]): [string, unknown] => {
      if (key === 'filter' && isObject(value)) return [key, Object.fromEntries(Object.entries(value).map(([field, test]) => [path(field), test]))];
      return [key, ['sort', 'fields', 'include'].includes(key) ? names(value) : value];
    });
    return [name, Object.fromEntries(parts)];
  };
  return Object.fromEntries(Object.entries(views).map(rename));
}
