import { expect, it } from 'vitest';
import { movedPlaces, moveItem } from './order';

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

it.each([
  ['one', [1], -1, 'bacde'],
  ['one', [1], 1, 'acbde'],
  ['some, which keep their order', [1, 3], -1, 'badce'],
  ['neighbours', [1, 2], 1, 'adbce'],
  ['those that have room', [0, 2], -1, 'acbde'],
  ['none at the end', [3, 4], 1, 'abcde'],
  ['all', [0, 1, 2, 3, 4], -1, 'abcde'],
] as const)('moves %s', (_, moving, by, result) => {
  expect(movedPlaces(5, moving, by).map((at) => 'abcde'[at]).join('')).toBe(result);
});

it('leaves the list it was given alone', () => {
  const list = [1, 2];
  moveItem(list, 0, 1);
  expect(list).toEqual([1, 2]);
});
