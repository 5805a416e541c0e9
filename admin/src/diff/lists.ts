/** The change of a list: items that were added, removed, moved or changed. */
import { diffArrays } from 'diff';
import { isSameValue, toStableText } from './values';

export type ListChange =
  | { kind: 'same' | 'moved'; before: unknown; after: unknown; was: number; is: number }
  | { kind: 'changed'; before: unknown; after: unknown; was: number; is: number; moved: boolean }
  | { kind: 'added'; after: unknown; is: number }
  | { kind: 'removed'; before: unknown; was: number };

interface Place {
  item: unknown;
  at: number;
  key: string;
}

/**
 * Compares two lists, in the order of the second; what was removed stands where it was. `identity`
 * says by what an item is known whatever its content; items without are known by their content,
 * and those that stand opposite each other count as changed.
 */
export function diffList(
  before: readonly unknown[],
  after: readonly unknown[],
  identity: (item: unknown) => string | undefined = () => undefined,
): ListChange[] {
  const old = places(before, identity);
  const fresh = places(after, identity);
  const steps = diffArrays(old.map((it) => it.key), fresh.map((it) => it.key));
  const gone = new Map(old.map((it) => [it.key, it]));
  for (const { key } of fresh) gone.delete(key);
  const known = new Map(old.map((it) => [it.key, it]));
  const changes: ListChange[] = [];
  let was = 0;
  let is = 0;
  let removed: Place[] = [];
  const flush = () => {
    for (const { item, at } of removed) changes.push({ kind: 'removed', before: item, was: at });
    removed = [];
  };
  for (const step of steps) {
    if (step.removed) {
      removed.push(...old.slice(was, was + step.count).filter((it) => gone.has(it.key)));
      was += step.count;
      continue;
    }
    for (const place of fresh.slice(is, is + step.count)) {
      const counterpart = known.get(place.key);
      const replaced = counterpart || identity(place.item) !== undefined ? undefined : nextWithoutIdentity(removed, identity);
      if (counterpart) {
        if (!step.added) flush();
        changes.push(compared(counterpart, place, step.added));
      } else if (replaced) {
        changes.push({ kind: 'changed', before: replaced.item, after: place.item, was: replaced.at, is: place.at, moved: false });
      } else {
        changes.push({ kind: 'added', after: place.item, is: place.at });
      }
    }
    is += step.count;
    if (!step.added) was += step.count;
    flush();
  }
  flush();
  return changes;
}

function compared(old: Place, fresh: Place, moved: boolean): ListChange {
  const both = { before: old.item, after: fresh.item, was: old.at, is: fresh.at };
  if (!isSameValue(old.item, fresh.item)) return { kind: 'changed', moved, ...both };
  return { kind: moved ? 'moved' : 'same', ...both };
}

function nextWithoutIdentity(removed: Place[], identity: (item: unknown) => string | undefined): Place | undefined {
  const at = removed.findIndex((it) => identity(it.item) === undefined);
  return at < 0 ? undefined : removed.splice(at, 1)[0];
}

/** Items with a key each: the second of two that are the same has another one. */
function places(items: readonly unknown[], identity: (item: unknown) => string | undefined): Place[] {
  const seen = new Map<string, number>();
  return items.map((item, at) => {
    const own = identity(item);
    const name = own === undefined ? `=${toStableText(item)}` : `#${own}`;
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return { item, at, key: `${times}${name}` };
  });
}
