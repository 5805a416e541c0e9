import { type RefObject, useEffect, useRef, useState } from 'react';
import { isSameValue } from '~/diff/values';
import { fieldId } from '~/fields/ids';
import { spaceRows } from './rows';

/** The place of a quoted row. */
interface Place {
  /** The space above it. */
  space: number;
  /** True if the row beside it is closed: then it is told in one line as well. */
  isFolded: boolean;
}

/** Pixels between two quoted rows, as the styles have it and those of the rows beside. */
const GAP = 6;

/** Keeps quoted rows beside the rows of the input for `target`, and folds them with these; nothing where there is one column. */
export function useAlignedRows(target: string | undefined, matches: readonly number[]): { ref: RefObject<HTMLOListElement | null>; places: readonly Place[] } {
  const ref = useRef<HTMLOListElement>(null);
  const [places, setPlaces] = useState<readonly Place[]>([]);
  const asked = matches.join(' ');
  useEffect(() => {
    const list = ref.current;
    const cell = list?.closest('[data-pair]')?.querySelector('[data-target]');
    if (!list || !cell || target === undefined) return undefined;
    const align = () => {
      const next = measure(list, cell, target, asked.split(' ').map(Number));
      setPlaces((before) => (isSameValue(before, next) ? before : next));
    };
    // The input is loaded later, and grows with what is typed, opened and added.
    const observer = new ResizeObserver(align);
    observer.observe(cell);
    observer.observe(list);
    return () => observer.disconnect();
  }, [target, asked]);
  return { ref, places };
}

function measure(list: HTMLElement, cell: Element, target: string, matches: readonly number[]): Place[] {
  const rows = [...cell.querySelectorAll<HTMLElement>(`#${CSS.escape(fieldId(target))} > ol > li`)];
  const quoted = [...list.children] as HTMLElement[];
  const beside = matches.map((it) => rows[it]);
  const isFolded = beside.map((it) => it !== undefined && it.dataset.open === undefined);
  if (!window.matchMedia('(min-width: 68.75em)').matches) return isFolded.map((it) => ({ space: 0, isFolded: it }));
  // Both columns begin at the same height, but the source may have been scrolled along.
  const source = list.closest('[data-source]') ?? list;
  const start = list.getBoundingClientRect().top - source.getBoundingClientRect().top;
  const { top } = cell.getBoundingClientRect();
  const tops = beside.map((it) => it && it.getBoundingClientRect().top - top - start);
  const spaces = spaceRows(quoted.map((it) => it.offsetHeight), tops, GAP);
  return spaces.map((space, at) => ({ space, isFolded: isFolded[at] ?? false }));
}
