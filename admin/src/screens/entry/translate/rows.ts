/** The rows of a source beside those of its translation. */
import { blockId } from '~/diff/values';

/** Returns the place of each row in the translation: that of the block with its id, else the same place; -1 for none. */
export function matchRows(source: readonly unknown[], target: readonly unknown[]): number[] {
  const places = new Map(target.map((row, at) => [blockId(row), at]));
  const known = new Set(source.map(blockId));
  return source.map((row, at) => {
    const id = blockId(row);
    const place = id === undefined ? undefined : places.get(id);
    if (place !== undefined) return place;
    // A block that belongs to another one stands there for that one alone.
    const other = blockId(target[at]);
    return at < target.length && (other === undefined || !known.has(other)) ? at : -1;
  });
}

/**
 * Returns the space above each row that brings it beside its translation. `tops` has the distances of the
 * translations from the beginning; a row without one, or after a longer one, follows the row before it.
 */
export function spaceRows(heights: readonly number[], tops: readonly (number | undefined)[], gap: number): number[] {
  let end = 0;
  return heights.map((height, at) => {
    const start = at === 0 ? 0 : end + gap;
    const top = Math.max(start, tops[at] ?? start);
    end = top + height;
    return Math.round(top - start);
  });
}
