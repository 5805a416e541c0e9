import { useCallback, useMemo, useRef, useState } from 'react';
import { keysBetween } from './rows';

/** The rows of a field that are selected, and the ways to select. */
export interface Selection {
  /** The selected rows, in their order. */
  keys: readonly string[];
  has: (key: string) => boolean;
  /** Selects a row, or takes it out of the selection; with `range` all from the one before to it. */
  toggle: (key: string, range?: boolean) => void;
  /** Selects from the row where the selection began to one beside the given row; gives that row. */
  extend: (key: string, by: number) => string | undefined;
  selectAll: () => void;
  clear: () => void;
}

const NONE: ReadonlySet<string> = new Set();

/** Keeps which of some rows are selected; a row that goes is no longer. */
export function useSelection(keys: readonly string[]): Selection {
  const [chosen, setChosen] = useState(NONE);
  const anchor = useRef<string>(undefined);
  const selected = useMemo(() => (chosen.size === 0 ? [] : keys.filter((key) => chosen.has(key))), [keys, chosen]);
  const clear = useCallback(() => setChosen(NONE), []);
  return {
    keys: selected,
    has: (key) => chosen.has(key),
    toggle: (key, range = false) => {
      const from = anchor.current;
      if (range && from !== undefined && from !== key) return setChosen(new Set([...chosen, ...keysBetween(keys, from, key)]));
      anchor.current = key;
      const next = new Set(selected);
      if (!next.delete(key)) next.add(key);
      setChosen(next);
    },
    extend: (key, by) => {
      const next = keys[keys.indexOf(key) + by];
      if (selected.length === 0 || anchor.current === undefined) anchor.current = key;
      if (next !== undefined) setChosen(new Set(keysBetween(keys, anchor.current, next)));
      return next;
    },
    selectAll: () => setChosen(new Set(keys)),
    clear,
  };
}
