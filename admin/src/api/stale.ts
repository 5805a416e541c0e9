/**
 * What the server says has changed is fetched anew, but not for every single change: when somebody
 * changes a thousand entries, the list of them is fetched a few times and not a thousand.
 */
import type { QueryKey } from '@tanstack/react-query';
import { queryClient } from './query';

/** So long is waited for what comes along with a change. */
const TOGETHER = 120;
/** So long it takes at least from one fetching to the next. */
const APART = 1000;

/** Collects keys and hands them over together. */
export function gathered(hand: (key: QueryKey) => void): (key: QueryKey) => void {
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

/** Says that what is kept under a key, or below it, is not true any more. */
export const markStale = gathered((queryKey) => void queryClient.invalidateQueries({ queryKey }));

/** The same of what is kept for each workspace under a name: `problems`, `dashboard`. */
export function markStaleEverywhere(name: string): void {
  for (const { queryKey } of queryClient.getQueryCache().getAll()) {
    if (queryKey[1] === name) markStale([queryKey[0], name]);
  }
}
