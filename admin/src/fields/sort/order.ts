/**
 * The places of a list in their new order, after some moved by one: they keep their order among
 * themselves, and those at the end stay there.
 */
export function movedPlaces(length: number, moving: readonly number[], by: -1 | 1): number[] {
  const places = Array.from({ length }, (_, at) => at);
  const wanted = new Set(moving);
  // From the end that they move to, so that each finds the one before it moved already.
  for (let step = 0; step < length; step += 1) {
    const at = by < 0 ? step : length - 1 - step;
    const [place, neighbour] = [places[at], places[at + by]];
    if (place === undefined || neighbour === undefined || !wanted.has(place) || wanted.has(neighbour)) continue;
    [places[at], places[at + by]] = [neighbour, place];
  }
  return places;
}

/** The list with one item at another place. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const result = [...list];
  const [item] = result.splice(from, 1);
  if (item === undefined && from >= list.length) return result;
  result.splice(Math.max(0, to), 0, item as T);
  return result;
}
