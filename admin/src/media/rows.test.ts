import { expect, test } from 'vitest';
import { rowsBetween } from './rows';

test('rows in sight are in the page, with some to spare', () => {
  expect(rowsBetween(0, 500, 100, 100, 50)).toEqual({ first: 0, last: 7 });
  expect(rowsBetween(0, 500, -2000, 100, 50)).toEqual({ first: 17, last: 28 });
  expect(rowsBetween(0, 500, -4900, 100, 50)).toEqual({ first: 46, last: 50 });
  expect(rowsBetween(0, 500, 900, 100, 50)).toEqual({ first: 0, last: 0 });
});
