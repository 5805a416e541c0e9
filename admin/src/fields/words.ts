import type { FieldDefinition } from '~/api/fields';
import { innerFields, isObject } from './shape';

const WORDS: ReadonlySet<string> = new Set(['text', 'textarea', 'markdown', 'html']);

/** Checks whether a value has words to translate, itself or in the fields within it. Numbers, dates, files and choices have none. */
export function hasWords(definition: FieldDefinition, value: unknown): boolean {
  const isAnyIn = (record: unknown) =>
    isObject(record) && Object.entries(innerFields(definition, record)).some(([name, it]) => hasWords(it, record[name]));
  switch (definition.type) {
    case 'object':
      return isAnyIn(value);
    case 'repeater':
    case 'blocks':
      return Array.isArray(value) && value.some(isAnyIn);
    default:
      return WORDS.has(definition.type) && typeof value === 'string' && value.trim() !== '';
  }
}
