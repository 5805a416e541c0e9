/** An entry as one JSON text, to be edited whole, and what of such a text can be saved. */
import type { AdminEntry } from '~/api/schema';
import { isEmptyValue } from '~/diff/values';
import { isObject } from '~/fields/shape';
import { isLocalized, META, placeOf, type Shape, threeWayMerge, type Values } from './form';

/** Keys that an entry shows and nobody sets. */
const FIXED = ['id', 'type', 'created_at', 'updated_at', 'updated_by'] as const;

/** The text of an entry as JSON, as it was typed. */
export interface RawText {
  text: string;
  /** The values of the form that the text was begun from. */
  from: Values;
  /** The reason that it cannot be read; the form then lacks what it says. */
  problem?: string;
}

/** The entry as an object, in the order of its file. */
export function rawOf(shape: Shape, values: Values, entry: AdminEntry | undefined): Record<string, unknown> {
  const data: Record<string, unknown> = {};
  for (const name of Object.keys(shape.fields)) {
    if (name !== 'title' && name !== 'slug' && values[name] !== undefined) data[name] = values[name];
  }
  return {
    ...(entry && { id: entry.id }),
    title: values.title ?? '',
    slug: values.slug ?? null,
    status: values.status ?? 'draft',
    published_at: values.published_at ?? null,
    ...(!isEmptyValue(values.unpublish_at) && { unpublish_at: values.unpublish_at }),
    ...(entry && { created_at: entry.created_at, updated_at: entry.updated_at }),
    author_id: values.author_id ?? null,
    ...(entry?.updated_by && { updated_by: entry.updated_by }),
    data,
    ...(isLocalized(shape) && { translations: translationsOf(values) }),
  };
}

function translationsOf(values: Values): Record<string, { title?: unknown; data: Record<string, unknown> }> {
  const said: Record<string, { title?: unknown; data: Record<string, unknown> }> = {};
  for (const [slot, value] of Object.entries(values)) {
    const { locale, field } = placeOf(slot);
    if (!locale || value === undefined || value === null || value === '') continue;
    const one = (said[locale] ??= { data: {} });
    if (slot.includes('.data.')) one.data[field] = value;
    else one.title = value;
  }
  return said;
}

/** An edited text, understood. */
interface Parsed {
  values: Values;
  /** Keys whose change cannot be saved. */
  ignored: string[];
}

/** Parses a text; throws a `SyntaxError` when it is no JSON object. */
export function parseRaw(shape: Shape, text: string, entry: AdminEntry | undefined): Parsed {
  const raw: unknown = JSON.parse(text);
  if (!isObject(raw)) throw new SyntaxError('not an object');
  const values: Record<string, unknown> = { title: raw.title };
  for (const name of META) values[name] = raw[name];
  const ignored: string[] = [];
  for (const [key, value] of Object.entries(raw)) {
    const fixed = (FIXED as readonly string[]).includes(key);
    const shown = fixed && entry ? entry[key as (typeof FIXED)[number]] : undefined;
    if (fixed ? value !== shown : !known(key, shape)) ignored.push(key);
  }
  for (const [name, value] of Object.entries(isObject(raw.data) ? raw.data : {})) {
    if (name in shape.fields && name !== 'title' && name !== 'slug') values[name] = value;
    else ignored.push(`data.${name}`);
  }
  readTranslations(shape, isObject(raw.translations) ? raw.translations : {}, values, ignored);
  return { values, ignored };
}

/** Puts what a text says onto the values that the form has by now: what came from elsewhere stays. */
export function mergeRaw(said: Values, from: Values, now: Values): Values {
  return from === now ? said : threeWayMerge(from, said, now).values;
}

function known(key: string, shape: Shape): boolean {
  return ['title', 'data', ...META].includes(key) || (key === 'translations' && isLocalized(shape));
}

function readTranslations(shape: Shape, said: Record<string, unknown>, values: Record<string, unknown>, ignored: string[]): void {
  for (const [locale, one] of Object.entries(said)) {
    const path = `translations.${locale}`;
    if (!shape.locales.includes(locale) || locale === shape.root_locale || !isObject(one)) {
      ignored.push(path);
      continue;
    }
    if (one.title !== undefined) values[`${path}.title`] = one.title;
    for (const [name, value] of Object.entries(isObject(one.data) ? one.data : {})) {
      const definition = shape.fields[name];
      if (definition && definition.localized !== false && name !== 'title' && name !== 'slug') values[`${path}.data.${name}`] = value;
      else ignored.push(`${path}.data.${name}`);
    }
  }
}
