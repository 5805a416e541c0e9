import { expect, it } from 'vitest';
import { type FieldDefinition, optionsOf, optionValue, selectOptions } from './fields';

const numbers: FieldDefinition = { type: 'select', options: [{ value: 1 }, { value: 2, label: 'Two' }, { value: 2 }] };

it('reads options that are written in three ways', () => {
  expect(optionsOf({ type: 'select', options: [1, 'two'] })).toEqual([{ value: 1, label: '1' }, { value: 'two', label: 'two' }]);
  expect(optionsOf({ type: 'select', options: { idea: 'Idea' } })).toEqual([{ value: 'idea', label: 'Idea' }]);
  expect(selectOptions(numbers).map((it) => it.value)).toEqual(['1', '2', '2']);
  expect(optionsOf({ type: 'select' })).toEqual([]);
});

it('gives back the value that the schema has, not its text', () => {
  expect(optionValue(numbers, '1')).toBe(1);
  expect(optionValue(numbers, '2')).toBe(2);
  expect(optionValue(numbers, 'gone')).toBe('gone');
  expect(optionValue({ type: 'select', options: { a: 'A' } }, 'a')).toBe('a');
});
