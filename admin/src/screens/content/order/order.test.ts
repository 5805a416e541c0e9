import { expect, it } from 'vitest';
import { type Bounds, type Numbered, placeEntry, renumberEntries } from './order';

const list = (numbers: readonly (number | undefined)[]): Numbered[] =>
  numbers.map((number, index) => ({ id: String.fromCharCode(97 + index), number }));

/** Moves an entry, and tells which numbers are written. */
function move(numbers: readonly (number | undefined)[], id: string, at: string, bounds?: Bounds) {
  const changes = renumberEntries(list(numbers), id, at, bounds);
  return changes && Object.fromEntries(changes);
}

it.each([
  ['into room between two neighbours', [10, 20, 30], 'c', 'b', { c: 15 }],
  ['past one neighbour, by its own number', [10, 20, 30], 'a', 'b', { a: 25 }],
  ['to the top', [1, 2, 3], 'c', 'a', { c: 0 }],
  ['to the end', [1, 2, 3], 'a', 'c', { a: 4 }],
  ['to where it is', [1, 2, 3], 'b', 'b', {}],
  ['down by one where there is no room', [1, 2, 3, 9], 'a', 'b', { b: 0 }],
  ['over several where there is no room, by the cheaper of the ways', [1, 2, 3, 4, 9], 'd', 'b', { a: 0, d: 1 }],
  ['between fractions', [1.5, 1.6, 8], 'c', 'b', { b: 9 }],
])('moves %s', (_, numbers, id, at, changes) => {
  expect(move(numbers, id, at)).toEqual(changes);
});

it('leaves entries alone that nobody gave a number, as far as it can', () => {
  expect(move([undefined, undefined, undefined, undefined], 'c', 'b')).toEqual({ a: 1, c: 2 });
  expect(move([1, 2, undefined, undefined], 'd', 'b')).toEqual({ a: 0, d: 1 });
  expect(move([1, 2, undefined, undefined], 'd', 'c', { max: 5 })).toEqual({ d: 4 });
});

it('takes equal numbers apart only where it must', () => {
  expect(move([0, 0, 0, 0, 0], 'd', 'b')).toEqual({ a: -2, d: -1 });
  expect(move([0, 0, 0, 0, 0], 'b', 'e')).toEqual({ b: 1 });
});

it('keeps within the bounds of the field', () => {
  expect(move([1, 2, 3], 'c', 'a', { min: 1 })).toEqual({ a: 4, b: 5 });
  expect(move([1, 2, 3], 'c', 'a', { min: 1, max: 2 })).toBeUndefined();
  expect(move([1, 2, 3], 'a', 'c', { min: 1, max: 3 })).toEqual({ b: 1, c: 2, a: 3 });
});

it('gives the wanted order whatever the numbers are, with the fewest changes', () => {
  const some = [4, undefined, 2, 2, 7, 7, 7, 1, undefined, 30, 5.5];
  const before = list(some).toSorted((a, b) => (a.number ?? 99) - (b.number ?? 99));
  for (const { id } of before) {
    for (const { id: at } of before) {
      const wanted = placeEntry(before, id, at);
      const changes = renumberEntries(before, id, at);
      const after = wanted.map((it) => ({ id: it.id, number: changes?.get(it.id) ?? it.number ?? Number.POSITIVE_INFINITY }));
      const rank = (of: string) => before.findIndex((it) => it.id === of);
      const sorted = after.toSorted((a, b) => (a.number === b.number ? rank(a.id) - rank(b.id) : a.number - b.number));
      expect(sorted.map((it) => it.id)).toEqual(wanted.map((it) => it.id));
    }
  }
});
