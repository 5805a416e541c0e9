/**
 * The values of an entry, as one flat table. A slot is the path under which the server names a value in
 * its errors: `title`, `body`, `translations.de.title`, `translations.de.data.body`. Comparing,
 * merging, drafts and errors all work by slot, so languages need no special care.
 */
import type { ContentTypeShape, FieldDefinition } from '~/api/fields';
import type { AdminEntry, AdminEntryInput } from '~/api/schema';
import { isEmptyValue, isSameValue } from '~/diff/values';
import { hasWords } from '~/fields/words';

export type Values = Readonly<Record<string, unknown>>;
export type Errors = Readonly<Record<string, string>>;

/** The parts of a content type that the form depends on. */
export type Shape = Pick<
  ContentTypeShape,
  'name' | 'fields' | 'locales' | 'root_locale' | 'default_locale' | 'slug_source' | 'singleton'
>;

/** Values that an entry has beside its fields, the same in all languages. */
export const META = ['slug', 'status', 'published_at', 'unpublish_at', 'author_id'] as const;
const META_NAMES: ReadonlySet<string> = new Set(META);

/** A locale in which something can be written, or nothing when the type has no languages. */
export function isLocalized(shape: Shape): boolean {
  return shape.locales.length > 0;
}

/** Checks whether a field has a value in each language; otherwise one value is shared by all. */
export function isTranslated(shape: Shape, name: string): boolean {
  return isLocalized(shape) && shape.fields[name]?.localized !== false && !META_NAMES.has(name);
}

/** Returns the slot of a field in a language. */
export function slotOf(shape: Shape, name: string, locale: string): string {
  if (!locale || locale === shape.root_locale || !isTranslated(shape, name)) return name;
  return name === 'title' ? `translations.${locale}.title` : `translations.${locale}.data.${name}`;
}

/** The place that a path of the server leads to. */
export interface Place {
  slot: string;
  /** The language, empty for what stands at the root. */
  locale: string;
  field: string;
  /** The rest of the path after the field: `[2].url`. */
  rest: string;
}

/** Takes a path of the server apart. */
export function placeOf(path: string): Place {
  const translated = /^translations\.([^.]+)\.(data\.)?([^.[]+)(.*)$/.exec(path);
  if (translated) {
    const [, locale = '', data = '', field = '', rest = ''] = translated;
    return { slot: `translations.${locale}.${data}${field}`, locale, field, rest };
  }
  const [, field = path, rest = ''] = /^(?:data\.)?([^.[]+)(.*)$/.exec(path) ?? [];
  return { slot: field, locale: '', field, rest };
}

/** Checks whether a slot has no place in the type any more: its field or its language was removed. */
export function isRemoved(shape: Shape, slot: string): boolean {
  const { field, locale } = placeOf(slot);
  const isKnown = field === 'title' || META_NAMES.has(field) || field in shape.fields;
  return !isKnown || (locale !== '' && !shape.locales.includes(locale));
}

/** The fields that are edited as fields, in order: the slug has its place beside the status. */
export function contentFields(shape: Shape): [string, FieldDefinition][] {
  return Object.entries(shape.fields).filter(([name, it]) => name !== 'slug' && !it.hidden);
}

/** Everything that an entry says; it has to be read in the root locale. */
export function valuesOf(shape: Shape, entry: AdminEntry): Values {
  const values: Record<string, unknown> = {
    title: entry.title,
    slug: entry.slug,
    status: entry.status,
    published_at: entry.published_at,
    unpublish_at: entry.unpublish_at,
    author_id: entry.author_id,
  };
  for (const [name, value] of Object.entries(entry.data)) {
    if (name in shape.fields && !(name in values)) values[name] = value;
  }
  for (const [locale, said] of Object.entries(entry.translations)) {
    if (said.title) values[`translations.${locale}.title`] = said.title;
    for (const [name, value] of Object.entries(said.data ?? {})) {
      values[`translations.${locale}.data.${name}`] = value;
    }
  }
  return values;
}

/** Returns the values of a new entry before anything is typed. */
export function defaultsOf(shape: Shape): Values {
  const values: Record<string, unknown> = { status: 'draft' };
  for (const [name, definition] of Object.entries(shape.fields)) {
    if (definition.default !== undefined) values[name] = definition.default;
  }
  return values;
}

/** The slots in which two states differ. */
export function changedSlots(before: Values, after: Values): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((slot) => !isSameValue(before[slot], after[slot]));
}

/** The body that sets the given slots to what they say in `values`. */
export function bodyOf(shape: Shape, values: Values, slots: Iterable<string>): AdminEntryInput {
  const body: Record<string, unknown> = isLocalized(shape) ? { locale: shape.root_locale } : {};
  const data: Record<string, unknown> = {};
  const translations: Record<string, { title?: unknown; data?: Record<string, unknown> }> = {};
  for (const slot of slots) {
    const { locale, field } = placeOf(slot);
    const value = values[slot] ?? null;
    if (locale) {
      const said = (translations[locale] ??= {});
      if (slot.endsWith(`.data.${field}`)) (said.data ??= {})[field] = value;
      else said.title = value;
    } else if (field === 'title' || META_NAMES.has(field)) body[field] = value;
    else data[field] = value;
  }
  if (Object.keys(data).length > 0) body.data = data;
  if (Object.keys(translations).length > 0) body.translations = translations;
  return body;
}

/**
 * The body that makes an entry: what is said, and what was cleared of what would otherwise be given
 * to it by default.
 */
export function createBody(shape: Shape, values: Values): AdminEntryInput {
  const slots = [...new Set([...Object.keys(values), ...Object.keys(defaultsOf(shape))])];
  return bodyOf(shape, values, slots.filter((slot) => !isEmptyValue(values[slot]) || shape.fields[slot]?.default !== undefined));
}

/** The body of a copy: a draft of one's own, with a slug that the server makes. */
export function copyBody(shape: Shape, values: Values): AdminEntryInput {
  const { slug: _, status: __, published_at: ___, unpublish_at: ____, author_id: _____, ...rest } = values;
  return createBody(shape, { ...rest, status: 'draft' });
}

/** The result of merging two sets of changes to one state. */
interface Merge {
  values: Values;
  /** Slots that only the other side changed: theirs was taken. */
  taken: string[];
  /** Slots that both changed, to different values: mine is kept until somebody decides. */
  conflicts: string[];
}

/** Brings my changes to `base` onto `theirs`, slot by slot. */
export function threeWayMerge(base: Values, mine: Values, theirs: Values): Merge {
  const values: Record<string, unknown> = {};
  const taken: string[] = [];
  const conflicts: string[] = [];
  for (const slot of new Set([...Object.keys(base), ...Object.keys(mine), ...Object.keys(theirs)])) {
    const [before, here, there] = [base[slot], mine[slot], theirs[slot]];
    if (isSameValue(here, there)) {
      // The same object as before, so that nothing is drawn anew.
      values[slot] = here;
    } else if (isSameValue(here, before)) {
      values[slot] = there;
      taken.push(slot);
    } else {
      values[slot] = here;
      if (!isSameValue(there, before)) conflicts.push(slot);
    }
  }
  return { values, taken, conflicts };
}

/** A value as a language reads it: its own, else that of the default language, else the root's. */
export function readValue(shape: Shape, values: Values, name: string, locale: string): unknown {
  const own = values[slotOf(shape, name, locale)];
  if (!isEmptyValue(own)) return own;
  const fallback = values[slotOf(shape, name, shape.default_locale)];
  return isEmptyValue(fallback) ? values[name] : fallback;
}

/** Returns the completeness of an entry in a language: fields with words that have a value there. */
export function completeness(shape: Shape, values: Values, locale: string): { done: number; of: number } {
  const names = contentFields(shape)
    // What is said in no language is missing in none.
    .filter(([name, definition]) => name === 'title' || shape.locales.some((it) => hasWords(definition, values[slotOf(shape, name, it)])))
    .map(([name]) => name)
    .filter((name) => isTranslated(shape, name));
  return { done: names.filter((name) => !isEmptyValue(values[slotOf(shape, name, locale)])).length, of: names.length };
}

/** Returns the errors at a slot and below it. */
export function errorsAt(errors: Errors, slot: string): Errors {
  const found = Object.entries(errors).filter(([path]) => isAtOrBelow(path, slot));
  return found.length === 0 ? NO_ERRORS : Object.fromEntries(found);
}

export const NO_ERRORS: Errors = Object.freeze({});

export function isAtOrBelow(path: string, slot: string): boolean {
  return path === slot || path.startsWith(`${slot}.`) || path.startsWith(`${slot}[`);
}
