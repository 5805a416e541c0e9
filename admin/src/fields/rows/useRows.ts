import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '~/i18n';
import { showUndo } from '~/ui/feedback';
import { moveItem } from '../sort/order';
import { useUndoOffer } from '../undo-offer';
import { type KeyedRows, reconcileKeys, withKeys } from './keys';
import { copyRow, insertAt, newRow, removeAt, type RowKind } from './rows';

let made = 0;
const freshKey = () => `row${(made += 1)}`;

/** The actions on a row, by its key: the same functions for as long as the field is there. */
export interface RowActions {
  change: (key: string, row: unknown) => void;
  move: (key: string, by: number) => void;
  duplicate: (key: string) => void;
  remove: (key: string, name: string) => void;
  insert: (at: number, kind: RowKind) => void;
  toggle: (key: string) => void;
}

/** The ways in which a row is open: with all that is in it, or with it as soon as it comes near. */
export type Openness = 'now' | 'near';

interface RowsOptions {
  rows: readonly unknown[];
  onChange: (rows: unknown[]) => void;
  /** Rows are open in the beginning, up to so many. */
  openUpTo: number;
}

/** The rows of a field with names of their own, which of them are open, and what can be done to them. */
export function useRows({ rows, onChange, openUpTo }: RowsOptions) {
  const [keyed, setKeyed] = useState<KeyedRows>(() => withKeys(rows, rows.map(freshKey)));
  const current = reconcileKeys(keyed, rows, freshKey);
  if (current !== keyed) setKeyed(current);
  const [open, setOpen] = useState<ReadonlyMap<string, Openness>>(() => new Map(rows.length <= openUpTo ? current.keys.map((key) => [key, 'now']) : []));
  const [focus, setFocus] = useState<string>();
  const [said, setSaid] = useState<string>();
  const offer = useUndoOffer();
  const latest = useRef({ ...current, onChange, offer });
  useEffect(() => {
    latest.current = { ...current, onChange, offer };
  });
  const there = useRef(true);
  useEffect(() => {
    there.current = true;
    return () => {
      there.current = false;
    };
  }, []);

  /** Puts other rows in place, whose keys are known, and does not wait for them to come back. */
  const put = useCallback((next: unknown[], keys: readonly string[]) => {
    const { onChange: tell, known, offer: undo } = latest.current;
    const now = withKeys(next, keys, known);
    latest.current = { ...now, onChange: tell, offer: undo };
    setKeyed(now);
    tell(next);
  }, []);

  const actions = useMemo<RowActions>(() => {
    const now = () => latest.current;
    const openRow = (key: string) => setOpen((before) => new Map(before).set(key, 'now'));
    const add = (at: number, row: unknown) => {
      const key = freshKey();
      put(insertAt(now().rows, at, row), insertAt(now().keys, at, key));
      openRow(key);
      setFocus(key);
    };
    return {
      change: (key, row) => {
        const at = now().keys.indexOf(key);
        if (at >= 0) put(now().rows.map((it, index) => (index === at ? row : it)), now().keys);
      },
      move: (key, by) => {
        const { keys, rows: all } = now();
        const [from, to] = [keys.indexOf(key), keys.indexOf(key) + by];
        if (from < 0 || to < 0 || to >= keys.length) return;
        put(moveItem(all, from, to), moveItem(keys, from, to));
        setSaid(t('fields.rows.moved', { position: to + 1, count: keys.length }));
      },
      duplicate: (key) => {
        const at = now().keys.indexOf(key);
        if (at >= 0) add(at + 1, copyRow(now().rows[at]));
      },
      remove: (key, name) => {
        const at = now().keys.indexOf(key);
        if (at < 0) return;
        const row = now().rows[at];
        put(removeAt(now().rows, at), removeAt(now().keys, at));
        setFocus(now().keys[at] ?? now().keys[at - 1] ?? '');
        const removed = t('fields.rows.removed', { name });
        const { offer: offerUndo } = now();
        if (offerUndo) return offerUndo(removed);
        // A form without steps of its own.
        showUndo(removed, async () => {
          if (!there.current) return;
          const place = Math.min(at, now().rows.length);
          put(insertAt(now().rows, place, row), insertAt(now().keys, place, key));
          setFocus(key);
        });
      },
      insert: (at, kind) => add(at, newRow(kind)),
      toggle: (key) =>
        setOpen((before) => {
          const after = new Map(before);
          if (!after.delete(key)) after.set(key, 'now');
          return after;
        }),
    };
  }, [put]);

  return {
    keys: current.keys,
    open,
    setOpen,
    actions,
    /** The row that takes the focus next; empty for the button that adds one. */
    focus,
    /** The last change, announced to screen readers. */
    said,
    focused: useCallback(() => setFocus(undefined), []),
    reorder: (from: number, to: number) => put(moveItem(rows, from, to), moveItem(current.keys, from, to)),
  };
}
