import { expect, test } from 'vitest';
import { nextTile, toggleTiles } from './roving';

test('arrows move in the grid and stop at its edges', () => {
  // 0 1 2
  // 3 4
  expect(nextTile('ArrowRight', 2, 5, 3)).toBe(3);
  expect(nextTile('ArrowRight', 4, 5, 3)).toBe(4);
  expect(nextTile('ArrowLeft', 0, 5, 3)).toBe(0);
  expect(nextTile('ArrowDown', 1, 5, 3)).toBe(4);
  expect(nextTile('ArrowDown', 2, 5, 3)).toBe(4);
  expect(nextTile('ArrowDown', 3, 5, 3)).toBe(3);
  expect(nextTile('ArrowUp', 4, 5, 3)).toBe(1);
  expect(nextTile('ArrowUp', 1, 5, 3)).toBe(1);
  expect(nextTile('Home', 4, 5, 3)).toBe(0);
  expect(nextTile('End', 0, 5, 3)).toBe(4);
  expect(nextTile('PageDown', 0, 100, 3)).toBe(12);
  expect(nextTile('x', 0, 5, 3)).toBeUndefined();
});

test('one is toggled, or all from the one before', () => {
  const names = ['a', 'b', 'c', 'd'];
  expect([...toggleTiles(new Set(), names, 1, undefined)]).toEqual(['b']);
  expect([...toggleTiles(new Set(['b']), names, 1, undefined)]).toEqual([]);
  expect([...toggleTiles(new Set(['b']), names, 3, 1)]).toEqual(['b', 'c', 'd']);
  expect([...toggleTiles(new Set(), names, 0, 2)]).toEqual(['a', 'b', 'c']);
  expect([...toggleTiles(new Set(['a']), names, 9, undefined)]).toEqual(['a']);
});
