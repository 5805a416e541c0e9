import { expect, it } from 'vitest';
import type { Shape } from './form';
import { knownErrors } from './known-errors';

const SHAPE = {
  locales: [],
  fields: {
    mail: { type: 'email' }, link: { type: 'url' }, tint: { type: 'color' }, grams: { type: 'number', max: 9 }, day: { type: 'date' }, text: { type: 'textarea', min_length: 3 },
  },
} as unknown as Shape;

it('tells with what cannot be a value all other values that are shown in red', () => {
  const values = { mail: 'anna', link: 'java script', tint: 'red', grams: 10, day: null, text: 'abc' };
  const changed = new Set(Object.keys(values));
  const errors = knownErrors(SHAPE, { values, changed, unfinished: { day: 'No such day.' } });
  expect(Object.keys(errors ?? {})).toEqual(['mail', 'link', 'tint', 'grams', 'day']);
  expect(errors?.day).toBe('No such day.');
  // What was there before is the server's to judge, and so is all of it when the rest can be saved.
  expect(knownErrors(SHAPE, { values, changed: new Set(['mail']), unfinished: { day: 'No.' } })).toMatchObject({ mail: expect.any(String), day: 'No.' });
  expect(knownErrors(SHAPE, { values, changed, unfinished: {} })).toBeUndefined();
});
