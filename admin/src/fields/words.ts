import { type FieldDefinition, subfieldsOf } from '~/api/fields';

const WORDS: ReadonlySet<string> = new Set(['text', 'textarea', 'markdown', 'html']);

/** Checks whether a value has words to translate, itself or in the fields within it. Numbers, dates, files and choices have none. */
export function hasWords(definition: FieldDefinition): boolean {
  switch (definition.type) {
    case 'object':
      return Object.values(definition.fields ?? {}).some(hasWords);
    case 'repeater':
      return Object.values(subfieldsOf(definition)).some(hasWords);
    case 'blocks':
      return Object.values(definition.blocks ?? {}).some((it) => Object.values(it.fields ?? {}).some(hasWords));
    default:
      return WORDS.has(definition.type);
  }
}
