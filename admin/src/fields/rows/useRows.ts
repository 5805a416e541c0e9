import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '~/i18n';
import { showUndo } from '~/ui/feedback';
import { movedPlaces, moveItem } from '../sort/order';
import { type OfferUndo, useUndoOffer } from '../undo-offer';
import { type KeyedRows, reconcileKeys, withKeys } from './keys';
import { copyRow, newRow, type RowKind } from './rows';

let made = 0;
const freshKey = () => `row${(made += 1)}`;

/** The actions on rows, by their keys: the same functions for as long as the field is there. */
export interface RowActions {
  change: (key: string, row: unknown) => void;
  /** Moves rows by one place, past the others. */
  move: (keys: readonly string[], by: -1 | 1) => void;
  duplicate: (keys: readonly string[]) => void;
  /** Takes rows out; `name` says which. */
  remove: (keys: readonly string[], name: string) => void;
  insert: (at: number, kind: RowKind) => void;
  insertRows: (at: number, rows: readonly unknown[]) => void;
  toggle: (key: string) => void;
  say: (text: string) => void;
}

/** The ways in which a row is open: with all that is in it, or with it as soon as it comes near. */
export type Openness = 'now' | 'near';

/** The part of a row that takes the focus next; with no key, the button that adds a row. */
interface RowFocus {
  key: string;
  part: 'head' | 'input';
}

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
  const [focus, setFocus] = useState<RowFocus>();
  const [said, setSaid] = useState<string>();
  const offer = useUndoOffer();
  const latest = useRef<Latest>({ ...current, onChange, offer });
  useEffect(() => {
    latest.current = { ...current, onChange, offer };
  });
  const isThere = useIsThere();

  /** Puts other rows in place, whose keys are known, and does not wait for them to come back. */
  const put = useCallback((next: unknown[], keys: readonly string[]) => {
    const now = withKeys(next, keys, latest.current.known);
    latest.current = { ...latest.current, ...now };
    setKeyed(now);
    latest.current.onChange(next);
  }, []);

  const actions = useMemo<RowActions>(() => {
    const now = () => latest.current;
    const add = (at: number, added: readonly unknown[], part: RowFocus['part']) => {
      const fresh = added.map(freshKey);
      put(now().rows.toSpliced(at, 0, ...added), now().keys.toSpliced(at, 0, ...fresh));
      setOpen((before) => new Map([...before, ...fresh.map((key) => [key, 'now'] as const)]));
      setFocus({ key: fresh[0] ?? '', part });
    };
    return {
      change: (key, row) => {
        const at = now().keys.indexOf(key);
        if (at >= 0) put(now().rows.with(at, row), now().keys);
      },
      move: (wanted, by) => {
        const { keys, rows: all } = now();
        const moving = placesOf(now(), wanted);
        const order = movedPlaces(keys.length, moving, by);
        if (order.every((place, at) => place === at)) return;
        put(order.map((place) => all[place]), order.flatMap((place) => keys[place] ?? []));
        const to = order.indexOf(moving[0] ?? 0) + 1;
        setSaid(t(moving.length > 1 ? 'fields.rows.movedMany' : 'fields.rows.moved', { position: to, count: keys.length }));
      },
      duplicate: (wanted) => {
        const places = placesOf(now(), wanted);
        const last = places.at(-1);
        if (last !== undefined) add(last + 1, places.map((at) => copyRow(now().rows[at])), 'head');
      },
      remove: (wanted, name) => {
        const before = now();
        const places = placesOf(before, wanted);
        const [first] = places;
        if (first === undefined) return;
        const stays = (_: unknown, at: number) => !places.includes(at);
        put(before.rows.filter(stays), before.keys.filter(stays));
        setFocus({ key: now().keys[Math.min(first, now().keys.length - 1)] ?? '', part: 'head' });
        offerBack(before, t('fields.rows.removed', { name }), () => {
          if (!isThere()) return;
          const lost = places.flatMap((at) => [{ at, row: before.rows[at], key: before.keys[at] ?? freshKey() }]);
          const { rows: all, keys } = now();
          put(lost.reduce((list, it) => list.toSpliced(it.at, 0, it.row), [...all]), lost.reduce((list, it) => list.toSpliced(it.at, 0, it.key), [...keys]));
          setFocus({ key: before.keys[first] ?? '', part: 'head' });
        });
      },
      insert: (at, kind) => add(at, [newRow(kind)], 'input'),
      insertRows: (at, added) => {
        add(at, added, 'head');
        setSaid(t('fields.rows.inserted', { count: added.length }));
      },
      toggle: (key) =>
        setOpen((before) => {
          const after = new Map(before);
          if (!after.delete(key)) after.set(key, 'now');
          return after;
        }),
      say: setSaid,
    };
  }, [put, isThere]);

  return {
    keys: current.keys,
    open,
    setOpen,
    actions,
    focus,
    /** The last change, announced to screen readers. */
    said,
    focused: useCallback(() => setFocus(undefined), []),
    reorder: (from: number, to: number) => put(moveItem(rows, from, to), moveItem(current.keys, from, to)),
  };
}

interface Latest extends KeyedRows {
  onChange: (rows: unknown[]) => void;
  offer: OfferUndo | undefined;
}

function placesOf({ keys }: KeyedRows, wanted: readonly string[]): number[] {
  return [...keys.keys()].filter((at) => wanted.includes(keys[at] ?? ''));
}

/** Offers the undo of the form, or where it has none, what brings the rows back. */
function offerBack({ offer }: Latest, message: string, bringBack: () => void): void {
  if (offer) offer(message);
  else showUndo(message, async () => bringBack());
}

/** Returns a function that tells whether the field is still on the page. */
function useIsThere(): () => boolean {
  const there = useRef(true);
  useEffect(() => {
    there.current = true;
    return () => {
      there.current = false;
    };
  }, []);
  return useCallback(() => there.current, []);
}
