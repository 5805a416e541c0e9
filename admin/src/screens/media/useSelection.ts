import { useRef, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { toggleTiles } from '~/media/roving';

const NONE: ReadonlySet<string> = new Set();
const NO_ITEMS: readonly MediaItem[] = [];

/** The files that are selected in a list; another list begins without any. */
export function useSelection(listKey: string, items: readonly MediaItem[]) {
  const [state, setState] = useState({ listKey, names: NONE, beyond: NO_ITEMS });
  const anchor = useRef<number>(undefined);
  const current = state.listKey === listKey;
  const names = current ? state.names : NONE;
  const beyond = current ? state.beyond : NO_ITEMS;
  const set = (next: ReadonlySet<string>) => setState({ listKey, names: next, beyond });
  const known = new Map([...beyond, ...items].map((it) => [it.filename, it]));
  return {
    names,
    /** The files themselves. */
    files: [...known.values()].filter((it) => names.has(it.filename)),
    set,
    clear: () => setState({ listKey, names: NONE, beyond: NO_ITEMS }),
    toggle: (index: number, range: boolean) => {
      const from = range && names.size > 0 ? anchor.current : undefined;
      set(toggleTiles(names, items.map((it) => it.filename), index, from));
      if (from === undefined) anchor.current = index;
    },
    toggleAll: () => set(items.every((it) => names.has(it.filename)) ? NONE : new Set(items.map((it) => it.filename))),
    /** Selects files, also such as the list has not come to yet. */
    selectAll: (all: readonly MediaItem[]) =>
      setState({ listKey, names: new Set(all.map((it) => it.filename)), beyond: all }),
  };
}

/** The selection, for the parts of the screen. */
export type Selection = ReturnType<typeof useSelection>;
