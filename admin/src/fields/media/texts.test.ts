import { expect, test } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import { isInCard, textFieldsOf } from './texts';

const fields: Record<string, FieldDefinition> = {
  hero: { type: 'media', alt_field: 'alt', caption_field: 'caption', visible_if: { kind: 'picture' } },
  gallery: { type: 'media', multiple: true, alt_field: 'other' },
  alt: { type: 'text' },
  caption: { type: 'textarea' },
  other: { type: 'text' },
  kind: { type: 'text' },
};
const valuesOf = (values: Record<string, unknown>) => (name: string) => values[name];

test('the texts of a picture are in its card as long as it has one', () => {
  expect(textFieldsOf(fields.hero!)).toEqual(['alt', 'caption']);
  const inCard = (name: string, values: Record<string, unknown>) => isInCard(fields, name, valuesOf(values));
  expect(inCard('alt', { kind: 'picture' })).toBe(true);
  expect(inCard('caption', { kind: 'picture', hero: ['a.jpg'] })).toBe(true);
  expect(inCard('alt', { kind: 'film' })).toBe(false);
  // An input for another kind of value has no card.
  expect(inCard('alt', { kind: 'picture', hero: { odd: 1 } })).toBe(false);
  expect(inCard('other', { kind: 'picture' })).toBe(false);
  expect(inCard('kind', { kind: 'picture' })).toBe(false);
});
