/**
 * The shapes of values and of their fields. People edit the files by hand, so anything may
 * stand in them; what does not fit is shown as it is and never lost.
 */
import { type FieldDefinition, subfieldsOf } from '~/api/fields';

/** The keys under which a block keeps its type and its lasting id. */
export const TYPE = '_type';
export const ID = '_id';

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Checks whether there is nothing: what the server counts as empty for `required`. */
export function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** The fields that a group of values has: of an object, of a block, of one item of a repeater. */
export function innerFields(definition: FieldDefinition, value: unknown): Readonly<Record<string, FieldDefinition>> {
  if (definition.type === 'object') return definition.fields ?? {};
  if (definition.type === 'repeater') return subfieldsOf(definition);
  return definition.blocks?.[blockType(value) ?? '']?.fields ?? {};
}

/** Returns the type of a block; nothing for a value that is no block. */
export function blockType(value: unknown): string | undefined {
  const type = isObject(value) ? value[TYPE] : undefined;
  return typeof type === 'string' ? type : undefined;
}

/** Checks whether the input of the field's kind can show the value. */
export function fitsKind(definition: FieldDefinition, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  switch (definition.type) {
    case 'number':
    case 'range':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'select':
      return isScalar(value) || (definition.multiple === true && isListOf(value, isScalar));
    case 'date':
      return value === '' || (typeof value === 'string' && isDay(value));
    case 'datetime':
      return value === '' || (typeof value === 'string' && isMoment(value));
    case 'media':
      return typeof value === 'string' || isListOf(value, (it) => typeof it === 'string');
    case 'relation':
      return typeof value === 'string' || (definition.multiple === true && isListOf(value, (it) => typeof it === 'string'));
    case 'json':
      return true;
    case 'object':
      return isObject(value);
    case 'repeater':
    case 'blocks':
      return Array.isArray(value);
    default:
      return typeof value === 'string';
  }
}

function isListOf(value: unknown, is: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(is);
}

/** Checks whether a text is a day of the calendar, as files have it: `2026-05-03`. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** Checks whether a text is a moment that every reader understands alike: with its time zone. */
export function isMoment(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text));
}

/** A value that fits and says the same; nothing where there is none. */
export function convertValue(definition: FieldDefinition, value: unknown): unknown {
  const candidate = candidateFor(definition, value);
  return candidate !== undefined && fitsKind(definition, candidate) ? candidate : undefined;
}

function candidateFor(definition: FieldDefinition, value: unknown): unknown {
  const only = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value;
  switch (definition.type) {
    case 'number':
    case 'range':
      return typeof only === 'string' && only.trim() !== '' && Number.isFinite(Number(only)) ? Number(only) : undefined;
    case 'boolean':
      return BOOLEANS.get(String(only).toLowerCase());
    case 'date':
      return typeof only === 'string' ? only.slice(0, 10) : undefined;
    case 'datetime':
      return typeof only === 'string' && isDay(only.slice(0, 10)) ? withZone(only) : undefined;
    case 'repeater':
    case 'blocks':
      return isObject(value) ? [value] : undefined;
    case 'select':
      return only;
    case 'media':
      return typeof only === 'string' ? [only] : undefined;
    case 'object':
      return isObject(only) ? only : undefined;
    default:
      return isScalar(only) ? String(only) : undefined;
  }
}

/** A moment whose zone is missing is taken as UTC, as the server does. */
function withZone(text: string): string {
  const [day = '', time = ''] = text.trim().split(/[T ]/);
  return `${day}T${time || '00:00:00'}Z`;
}

const BOOLEANS = new Map<string, boolean>([
  ['true', true], ['1', true], ['on', true], ['yes', true],
  ['false', false], ['0', false], ['off', false], ['no', false],
]);
