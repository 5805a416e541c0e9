import { expect, it } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import { chosenValues, optionsWith, optionValue } from './options';

const numbers: FieldDefinition = { type: 'select', options: [{ value: 1 }, { value: 2, label: 'Two' }, { value: 2 }] };

it('gives back the value that the schema has, not its text', () => {
  expect(optionValue(numbers, '1')).toBe(1);
  expect(optionValue(numbers, '2')).toBe(2);
  expect(optionValue(numbers, 'gone')).toBe('gone');
  expect(optionValue({ type: 'select', options: { a: 'A' } }, 'a')).toBe('a');
});

it('knows what is chosen', () => {
  expect(chosenValues(null)).toEqual([]);
  expect(chosenValues('')).toEqual([]);
  expect(chosenValues(1)).toEqual(['1']);
  expect(chosenValues(['a', 'a', 2])).toEqual(['a', '2']);
});

it('shows what is chosen but no option, once', () => {
  expect(optionsWith(numbers, ['2', 'x'], (it) => `${it}?`)).toEqual([
    { value: '1', label: '1' },
    { value: '2', label: 'Two' },
    { value: 'x', label: 'x?' },
  ]);
});
