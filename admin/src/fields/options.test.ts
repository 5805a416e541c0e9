import { expect, it } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import { chosenValues, optionsWith } from './options';

const numbers: FieldDefinition = { type: 'select', options: [{ value: 1 }, { value: 2, label: 'Two' }, { value: 2 }] };

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
