import { type FieldDefinition, subfieldsOf } from '~/api/fields';
import { blockType, isObject } from './shape';

const WORDS: ReadonlySet<string> = new Set(['text', 'textarea', 'markdown', 'html']);

/** Checks whether a value has words to translate, itself or in the fields within it. Numbers, dates, files and choices have none. */
export function hasWords(definition: FieldDefinition, value: unknown): boolean {
  const isAnyIn = (fields: Readonly<Record<string, FieldDefinition>>, record: unknown) =>
    isObject(record) && Object.entries(fields).some(([name, it]) => hasWords(it, record[name]));
  switch (definition.type) {
    case 'object':
      return isAnyIn(definition.fields ?? {}, value);
    case 'repeater':
      return Array.isArray(value) && value.some((row) => isAnyIn(subfieldsOf(definition), row));
    case 'blocks':
      return Array.isArray(value) && value.some((row) => isAnyIn(definition.blocks?.[blockType(row) ?? '']?.fields ?? {}, row));
    default:
      return WORDS.has(definition.type) && typeof value === 'string' && value.trim() !== '';
  }
}
