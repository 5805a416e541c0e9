import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { queryClient } from '~/api/query';
import type { AdminEntry } from '~/api/schema';
import { t } from '~/i18n';
import { Refused, showError, showUndo } from '~/ui/feedback';
import { type ListField, valueOf } from '../fields';
import { useList } from '../list-context';
import type { ListState } from '../list-state';
import { saveValue } from '../table/InlineEdit';
import type { ShownRows } from '../table/useLiveRows';
import { type EntryList, fetchOrder, ORDERED_AT_MOST, refreshEntries } from '../useEntries';
import { type Numbered, orderField, placeEntry, renumberEntries } from './order';

/** More rows than these are not all in the page, and cannot be dragged past each other. */
const DRAWN = 200;

/** The manual order of the rows of a list. */
export interface ManualOrder {
  rows: readonly AdminEntry[];
  /** Moves a row to where another one is; both by their places. */
  move: (from: number, to: number) => void;
  /** The last move and its result, announced to screen readers. */
  said: string;
  saving: boolean;
}

/** The entry whose number is written, and the number that it had. */
interface Written {
  entry: AdminEntry;
  before: number | undefined;
}

/** Puts the list in order by hand, where it is sorted by a number that is there for that; else nothing. */
export function useManualOrder(state: ListState, steady: ShownRows, queryKey: readonly unknown[], total: number): ManualOrder | undefined {
  const { workspace, type, fields, locale, may } = useList();
  const field = useMemo(() => orderField(type, fields, state), [type, fields, state]);
  const { rows, takeNext, takeOwn } = steady;
  // Shown until the list itself has the new order.
  const [ahead, setAhead] = useState<{ of: readonly AdminEntry[]; rows: readonly AdminEntry[] }>();
  const shown = ahead?.of === rows ? ahead.rows : rows;
  const [said, setSaid] = useState('');
  const [saving, setSaving] = useState(false);
  const queue = useRef(Promise.resolve());
  const key = useRef(queryKey);
  useEffect(() => {
    key.current = queryKey;
  });

  const write = useCallback(
    async (work: () => Promise<unknown>) => {
      setSaving(true);
      try {
        await work();
      } finally {
        takeOwn();
        await refreshEntries(workspace, type.name);
        setSaving(false);
      }
    },
    [workspace, type.name, takeOwn],
  );

  const move = useCallback(
    (from: number, to: number) => {
      const [entry, other] = [shown[from], shown[to]];
      if (!field || !entry || !other || from === to) return;
      const moved = placeEntry(shown, entry.id, other.id);
      setAhead({ of: rows, rows: moved });
      setSaid(t('content.order.moved', { title: entry.title, position: to + 1, count: shown.length }));
      takeNext();
      queryClient.setQueryData<EntryList>(key.current, (list) => list && { ...list, data: moved });
      // One after the other: each move begins with the numbers that the one before has written.
      queue.current = queue.current
        .then(() =>
          write(async () => {
            const written = await writeOrder(type.name, field, locale, entry.id, other.id);
            if (written.length === 0) return;
            showUndo(t('content.order.done', { title: entry.title }), () => write(() => takeBack(written, field, locale)));
          }),
        )
        .catch(showError);
    },
    [shown, rows, field, locale, type.name, takeNext, write],
  );
  const possible = field !== undefined && may.update && rows.length <= DRAWN && total <= ORDERED_AT_MOST;
  return possible ? { rows: shown, move, said, saving } : undefined;
}

/** Writes the numbers that put an entry where another one is. What is written when one fails is taken back. */
async function writeOrder(type: string, field: ListField, locale: string, id: string, at: string): Promise<Written[]> {
  const entries = await fetchOrder(type, field.key, locale);
  const numberOf = (entry: AdminEntry) => {
    const value = valueOf(entry, field);
    return typeof value === 'number' ? value : undefined;
  };
  const before = entries.map((it): Numbered => ({ id: it.id, number: numberOf(it) }));
  const { min, max } = field.definition;
  const numbers = renumberEntries(before, id, at, { min: asNumber(min), max: asNumber(max) });
  if (!numbers) throw new Refused(t('content.order.noRoom'));
  const written: Written[] = [];
  try {
    for (const entry of entries) {
      const number = numbers.get(entry.id);
      if (number === undefined) continue;
      const saved = await saveValue(entry, field, number, locale, entry.etag);
      written.push({ entry: saved.entry, before: numberOf(entry) });
    }
  } catch (error) {
    await takeBack(written, field, locale).catch(() => {});
    throw error;
  }
  return written;
}

async function takeBack(written: readonly Written[], field: ListField, locale: string): Promise<void> {
  for (const { entry, before } of written) await saveValue(entry, field, before ?? null, locale, entry.etag);
}

const asNumber = (bound: number | string | undefined) => (typeof bound === 'number' ? bound : undefined);
