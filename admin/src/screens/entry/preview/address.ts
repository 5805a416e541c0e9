/** The addresses of preview targets, and the places in an entry that a site names. */
import { placeOf, type Shape, slotOf } from '../form/form';

/** The values for the names in braces of an address. */
export interface AddressParts {
  slug: string;
  id: string;
  type: string;
  locale: string;
  token: string;
}

/** Returns the address of a target for an entry. */
export function fillAddress(template: string, parts: AddressParts): string {
  return template.replaceAll(/\{(slug|id|type|locale|token)\}/g, (_, name: keyof AddressParts) => encodeURIComponent(parts[name]));
}

/** Returns the origin of an address, to which alone messages are sent; nothing if there is none. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}

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
