/** Entries that somebody puts in order by hand: the numbers that say so, and which of them have to change. */
import type { ContentTypeShape } from '~/api/fields';
import type { ListField } from '../fields';
import { isNarrowed, type ListState } from '../list-state';

/** The names of fields that entries are put in order by. */
const NAMES: readonly string[] = ['order', 'position'];

/** The field by which the list can be put in order by hand, when it is sorted by it and nothing is left out. */
export function orderField(type: ContentTypeShape, fields: readonly ListField[], state: ListState): ListField | undefined {
  if (isNarrowed(state) || !NAMES.includes(state.sort)) return undefined;
  const field = fields.find((it) => it.key === state.sort && !it.system);
  if (field?.definition.type !== 'number' || field.definition.readonly) return undefined;
  // Each language would have an order of its own.
  return type.locales.length === 0 || field.definition.localized === false || state.locale === '' ? field : undefined;
}

/** An entry of the list and its number; those without one come last. */
export interface Numbered {
  id: string;
  number: number | undefined;
}

export interface Bounds {
  min?: number | undefined;
  max?: number | undefined;
}

/** The list with an entry moved to where another one is. */
export function placeEntry<T extends { id: string }>(list: readonly T[], id: string, at: string): T[] {
  const [from, to] = [list.findIndex((it) => it.id === id), list.findIndex((it) => it.id === at)];
  const item = list[from];
  if (!item || to < 0) return [...list];
  return list.toSpliced(from, 1).toSpliced(to, 0, item);
}

/**
 * The fewest new numbers, whole ones, with which an entry is where another one is now: its own alone if
 * there is room for it. `undefined` when there is no room at all. Equal numbers keep the order they have.
 */
export function renumberEntries(before: readonly Numbered[], id: string, at: string, bounds: Bounds = {}): Map<string, number> | undefined {
  const wanted = placeEntry(before, id, at);
  const rank = new Map(before.map((it, index) => [it.id, index]));
  // A place before the first and one behind the last hold the bounds; so does what has no number.
  const last = Math.floor(bounds.max ?? Number.POSITIVE_INFINITY) + 1;
  const places: Place[] = [
    { number: Math.ceil(bounds.min ?? Number.NEGATIVE_INFINITY) - 1, rank: -1, worth: 1 },
    ...wanted.map((it) => ({ number: it.number ?? last, rank: rank.get(it.id) ?? -1, worth: it.id === id ? 1 : 2 })),
    { number: last, rank: before.length, worth: 1 },
  ];
  const kept = mostKept(places);
  if (!kept) return undefined;
  const numbers = new Map<string, number>();
  for (const [index, to] of kept.entries()) {
    const from = kept[index - 1];
    if (from === undefined) continue;
    for (const [place, number] of between(places, from, to)) {
      const entry = wanted[place - 1];
      if (entry) numbers.set(entry.id, number);
    }
  }
  return numbers;
}

interface Place {
  number: number;
  /** The place before the change. */
  rank: number;
  /** The weight of keeping its number: for the entry that is moved, less than for any other. */
  worth: number;
}

/** The way from the first place to the last over places that can keep their numbers which is worth most. */
function mostKept(places: readonly Place[]): number[] | undefined {
  const worth = places.map((_, index): number => (index === 0 ? 1 : 0));
  const previous = places.map(() => -1);
  for (const [to, place] of places.entries()) {
    for (let from = to - 1; from >= 0; from -= 1) {
      const reached = worth[from] ?? 0;
      if (reached > 0 && reached + place.worth > (worth[to] ?? 0) && fitsBetween(places, from, to)) {
        worth[to] = reached + place.worth;
        previous[to] = from;
      }
    }
  }
  if (!worth.at(-1)) return undefined;
  const way: number[] = [];
  for (let at = places.length - 1; at >= 0; at = previous[at] ?? -1) way.unshift(at);
  return way;
}

/** Checks whether two places can keep their numbers with new ones for all that stand between them. */
function fitsBetween(places: readonly Place[], from: number, to: number): boolean {
  const [a, b] = [places[from], places[to]];
  if (!a || !b) return false;
  if (b.number > a.number) return Math.ceil(b.number) - Math.floor(a.number) >= to - from;
  return to - from === 1 && a.number === b.number && a.rank < b.rank;
}

/** New numbers for what stands between two places, spread over the room that there is. */
function between(places: readonly Place[], from: number, to: number): [place: number, number: number][] {
  const count = to - from - 1;
  const low = Math.floor(places[from]?.number ?? Number.NEGATIVE_INFINITY);
  const high = Math.ceil(places[to]?.number ?? Number.POSITIVE_INFINITY);
  return Array.from({ length: count }, (_, index) => {
    const nth = index + 1;
    if (Number.isFinite(low) && Number.isFinite(high)) return [from + nth, low + Math.max(nth, Math.floor(((high - low) * nth) / (count + 1)))];
    if (Number.isFinite(low)) return [from + nth, low + nth];
    if (Number.isFinite(high)) return [from + nth, high - count + index];
    return [from + nth, nth];
  });
}
