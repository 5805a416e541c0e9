/** The places in an entry that a site names. */
import { placeOf, type Shape, slotOf } from '../form/form';

/** A part of an entry, as a site names it: `posts/1a2b#body`. */
export interface NamedPart {
  type: string;
  /** The id or slug. */
  entry: string;
  path: string;
}

/** Takes the name of a part apart. */
export function parsePart(text: unknown): NamedPart | undefined {
  if (typeof text !== 'string') return undefined;
  const [, type, entry, path] = /^([\w-]{1,64})\/([^/#\s]{1,300})#(\S{1,500})$/.exec(text) ?? [];
  return type && entry && path ? { type, entry, path } : undefined;
}

/**
 * Returns the path of the input for a path that a site names in a language: `body`, `data.body` and
 * `translations.de.data.body` all do. Nothing if the type has no such field.
 */
export function inputPath(shape: Shape, path: string, locale: string): string | undefined {
  const { locale: named, field, rest } = placeOf(path);
  if (!(field in shape.fields)) return undefined;
  return slotOf(shape, field, named || locale) + rest;
}
