import { useCallback, useEffect, useState } from 'react';
import type { AdminEntry } from '~/api/schema';
import { useServerEvents } from '~/api/events';
import { type LiveRows, mergeRows, takeRows } from './live-rows';

interface Shown extends LiveRows<AdminEntry> {
  key: string;
  source: readonly AdminEntry[] | undefined;
  /** True if the next rows are taken as they come, since they are the reader's own doing. */
  takeNext: boolean;
}

export interface ShownRows extends LiveRows<AdminEntry> {
  /** Entries that somebody deleted while they were shown. */
  gone: ReadonlySet<string>;
  /** Shows the list as it is now. */
  take: () => void;
  /** Shows the list as it will be after the change that is made now. */
  takeNext: () => void;
  /** Shows the list after a change of the reader's own, also where live news of it came before its answer. */
  takeOwn: () => void;
}

const NONE: Shown = { key: '', source: undefined, takeNext: false, ...takeRows<AdminEntry>([]) };
const FLASH = 1700;

/** The rows of a list that others change at the same time, see {@link mergeRows}. */
export function useLiveRows(
  key: string,
  fetched: readonly AdminEntry[] | undefined,
  fetching: boolean,
  about: { workspace: string; type: string },
): ShownRows {
  const [shown, setShown] = useState(NONE);
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  if (fetched && fetched !== shown.source) {
    // Rows from before the page was left are out of date: what is being fetched replaces them.
    const other = shown.key !== key;
    const next = other || shown.takeNext ? takeRows(fetched) : mergeRows(shown.rows, fetched);
    setShown({ ...next, key, source: fetched, takeNext: other && fetching });
    if (other) setGone(new Set());
  }
  useEffect(() => {
    if (shown.changed.length === 0) return undefined;
    const timer = setTimeout(() => setShown((now) => ({ ...now, changed: [] })), FLASH);
    return () => clearTimeout(timer);
  }, [shown.changed]);
  useServerEvents(({ event, workspace, data }) => {
    if (event !== 'content.deleted' || workspace !== about.workspace || data.type !== about.type) return;
    setGone((before) => new Set(before).add(String(data.id)));
  });
  const take = useCallback(() => setShown((now) => (now.source ? { ...now, ...takeRows(now.source) } : now)), []);
  const takeNext = useCallback(() => setShown((now) => ({ ...now, takeNext: true })), []);
  const takeOwn = useCallback(() => {
    take();
    takeNext();
  }, [take, takeNext]);
  return { rows: shown.rows, changed: shown.changed, fresh: shown.fresh, moved: shown.moved, gone, take, takeNext, takeOwn };
}
