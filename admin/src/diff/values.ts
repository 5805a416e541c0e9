/** The comparison of field values. */
import type { FieldDefinition } from '~/api/fields';
import { isObject } from '~/fields/shape';

/** Checks whether a value says nothing; the ways in which a file can do so are all the same. */
export function isEmptyValue(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Checks whether two values say the same, whatever the order of their keys. */
export function isSameValue(a: unknown, b: unknown): boolean {
  return (isEmptyValue(a) && isEmptyValue(b)) || isSameJson(a, b);
}

/** Checks whether two values are the same JSON. Equal parts are found by identity first, so it is quick. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => isSameJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => isSameJson(a[key], b[key]));
}

/** A value as text that is the same for the same value. */
export function toStableText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => (isObject(part) ? Object.fromEntries(Object.entries(part).toSorted(byKey)) : part)) ?? 'null';
}

/** A value as somebody would write it into a file. */
export function toText(value: unknown): string {
  return isEmptyValue(value) ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The ways to compare a field. */
export type Comparison = 'words' | 'lines' | 'media' | 'choices' | 'groups' | 'parts' | 'plain';

export function comparisonOf(definition: FieldDefinition): Comparison {
  switch (definition.type) {
    case 'text':
    case 'textarea':
    case 'slug':
    case 'email':
    case 'url':
      return 'words';
    case 'markdown':
    case 'html':
    case 'json':
      return 'lines';
    case 'media':
      return 'media';
    case 'relation':
    case 'select':
      return definition.multiple ? 'choices' : 'plain';
    case 'repeater':
    case 'blocks':
      return 'groups';
    case 'object':
      return 'parts';
    default:
      return 'plain';
  }
}

/** Returns the id of a block, which stays when the block changes; items of a repeater have none. */
export function blockId(value: unknown): string | undefined {
  const { _id: id } = asRecord(value);
  return typeof id === 'string' ? id : undefined;
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : isEmptyValue(value) ? [] : [value];
}

function byKey([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}
