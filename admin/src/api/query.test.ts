import { expect, test } from 'vitest';
import { ApiError } from './error';
import { isWorthAnotherTry } from './query';

test.each([
  [0, 'offline', true],
  [502, 'unexpected', true],
  [503, 'unavailable', true],
  [503, 'not_set_up', false],
  [500, 'internal', false],
  [422, 'invalid', false],
])('status %i, %s: %s', (status, code, again) => {
  expect(isWorthAnotherTry(new ApiError(status, { code, message: '' }))).toBe(again);
});

test('what is no answer at all is tried again', () => {
  expect(isWorthAnotherTry(new TypeError('Failed to fetch'))).toBe(true);
});
