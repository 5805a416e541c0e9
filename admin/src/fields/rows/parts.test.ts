import { expect, it } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import { firstInput } from './parts';

const text: FieldDefinition = { type: 'text' };

it.each<[string, Record<string, FieldDefinition>, string | undefined]>([
  ['the first field', { picture: { type: 'media' }, words: text }, 'picture'],
  ['no hidden field', { key: { ...text, hidden: true }, words: text }, 'words'],
  ['no field that a condition hides', { size: { ...text, visible_if: { kind: 'large' } }, kind: text }, 'kind'],
  ['no field that only shows something', { total: { ...text, readonly: true }, words: text }, 'words'],
  ['no text of a picture, which stands in its card', { alt: text, picture: { type: 'media', alt_field: 'alt' } }, 'picture'],
  ['nothing where there is none', {}, undefined],
])('a new row gives the keyboard to %s', (_, fields, first) => {
  expect(firstInput(fields, {})).toBe(first);
});
