import { useState } from 'react';
import type { MediaItem } from '~/api/schema';

/** The files that have been picked in a dialog, and the ways to change them. */
export type Picks = ReturnType<typeof usePicks>;

/** Keeps the files that are picked, in order. */
export function usePicks({ multiple, picked, keep }: { multiple: boolean; picked: readonly string[]; keep: (item: MediaItem) => boolean }) {
  const [items, setItems] = useState<readonly MediaItem[]>([]);
  /** Files that the field has already cannot be picked again. */
  const isTaken = (item: MediaItem) => multiple && picked.includes(item.filename);
  const isCurrent = (item: MediaItem) => !multiple && items.length === 0 && picked.includes(item.filename);
  return {
    items,
    isTaken,
    mark: (item: MediaItem): boolean | number => {
      const index = items.findIndex((it) => it.filename === item.filename);
      if (index >= 0) return multiple ? index + 1 : true;
      return isTaken(item) || isCurrent(item);
    },
    toggle: (item: MediaItem) => {
      if (isTaken(item)) return;
      setItems((before) => {
        const without = before.filter((it) => it.filename !== item.filename);
        if (without.length < before.length) return without;
        return multiple ? [...before, item] : [item];
      });
    },
    swap: (copy: string, item: MediaItem) => {
      setItems((before) => unique(before.map((it) => (it.filename === copy ? item : it))));
    },
    add: (added: readonly MediaItem[]) => {
      const fitting = added.filter(keep);
      if (fitting.length > 0) setItems((before) => (multiple ? [...before, ...fitting] : fitting.slice(-1)));
    },
  };
}

function unique(items: readonly MediaItem[]): MediaItem[] {
  return items.filter((item, index) => items.findIndex((it) => it.filename === item.filename) === index);
}
