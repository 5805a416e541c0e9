import { expect, it } from 'vitest';
import { moveItem } from './order';

it.each([
  [0, 2, 'bca'],
  [2, 0, 'cab'],
  [1, 1, 'abc'],
  [0, 9, 'bca'],
  [2, -1, 'cab'],
  [7, 0, 'abc'],
])('moves %d to %d', (from, to, result) => {
  expect(moveItem(['a', 'b', 'c'], from, to).join('')).toBe(result);
});

it('leaves the list it was given alone', () => {
  const list = [1, 2];
  moveItem(list, 0, 1);
  expect(list).toEqual([1, 2]);
});
