/**
 * Changed data is fetched anew, but not for every single change: when somebody
 * changes a thousand entries, the list of them is fetched a few times and not a thousand.
 */
import type { QueryKey } from '@tanstack/react-query';
import { isPending, PENDING } from './changes/change';
import { queryKeys } from './keys';
import { queryClient } from './query';

/** So long is waited for what comes along with a change. */
const TOGETHER = 120;
/** So long it takes at least from one fetching to the next. */
const APART = 1000;

/** Collects keys and hands them over together. */
export function collectKeys(hand: (key: QueryKey) => void): (key: QueryKey) => void {
  const waiting = new Map<string, QueryKey>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let last = Number.NEGATIVE_INFINITY;
  function flush() {
    timer = undefined;
    last = Date.now();
    const keys = [...waiting.values()];
    waiting.clear();
    for (const key of keys) hand(key);
  }
  return (key) => {
    waiting.set(JSON.stringify(key), key);
    timer ??= setTimeout(flush, Math.max(TOGETHER, last + APART - Date.now()));
  };
}

/** Entries that were moved to the trash while the page was open, by anybody. */
const gone = new Set<string>();

const placeOf = (...place: unknown[]) => place.join('/');

/** Notes whether an entry is in the trash, as an answer or an event says. */
export function noteGone(workspace: string, type: string, id: string, isTrashed: boolean): void {
  if (isTrashed) gone.add(placeOf(workspace, type, id));
  else gone.delete(placeOf(workspace, type, id));
}

export function isGone(workspace: unknown, type: unknown, id: unknown): boolean {
  return gone.has(placeOf(workspace, type, id));
}

/** Checks whether a key is of an entry in the trash that a screen still shows: there is nothing to fetch. */
function isOfGone([workspace, , type, id, what, view]: QueryKey): boolean {
  return (what === 'usages' || (what === 'editor' && view === 'live')) && isGone(workspace, type, id);
}

/** Says that what is kept under a key, or below it, is not true any more. */
export const markStale = collectKeys(
  (queryKey) => void queryClient.invalidateQueries({ queryKey, predicate: (it) => !isOfGone(it.queryKey) }),
);

/** Does the same for every workspace, with a key that each of them has. */
export function markStaleEverywhere(keyOf: (workspace: string) => QueryKey): void {
  for (const { queryKey } of queryClient.getQueryCache().getAll()) {
    const key = keyOf(String(queryKey[0]));
    if (queryKey[1] === key[1]) markStale(key);
  }
}

/** Does the same for the versions of entries that a change has and that are open in the editor. */
export function markProposalsStale(workspace: string, change: string): void {
  for (const view of [change, ...(isPending(change) ? [PENDING] : [])]) {
    const isOfView = ({ queryKey }: { queryKey: QueryKey }) => queryKey.at(-2) === 'editor' && queryKey.at(-1) === view;
    for (const { queryKey } of queryClient.getQueryCache().findAll({ queryKey: queryKeys.allEntries(workspace), predicate: isOfView })) markStale(queryKey);
  }
}
