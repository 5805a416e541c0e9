import { expect, it } from 'vitest';
import { placeAfterKey } from './option-keys';

it.each([
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 0],
  ['ArrowUp', 0, 3, 2],
  ['PageDown', 1, 20, 9],
  ['PageDown', 15, 20, 19],
  ['PageUp', 3, 20, 0],
  ['Enter', 0, 3, undefined],
  ['ArrowDown', -1, 0, undefined],
] as const)('%s at %i of %i leads to %s', (key, at, count, to) => {
  expect(placeAfterKey(key, at, count)).toBe(to);
});
