/** Windows onto long lists: of many rows, all of one height, only those in sight are in the page. */
import { useWindowEvent } from '@mantine/hooks';
import { useCallback, useEffect, useState } from 'react';

/** The rows between two edges of what is seen, `first` inclusive and `last` exclusive. */
export interface Range {
  first: number;
  last: number;
}

/** Rows above and below that are ready before they come into sight. */
const SPARE = 3;
const CAPTURE = { capture: true, passive: true };

/** Returns the rows of a frame that begins at `start` which lie between `top` and `bottom`. */
export function rowsBetween(top: number, bottom: number, start: number, height: number, count: number): Range {
  const clamp = (row: number) => Math.max(0, Math.min(count, row));
  return {
    first: clamp(Math.floor((top - start) / height) - SPARE),
    last: clamp(Math.ceil((bottom - start) / height) + SPARE),
  };
}

interface Rows {
  /** The element that holds the rows. */
  frame: HTMLElement | null;
  /** The element that scrolls; the page without one. */
  pane?: HTMLElement | null | undefined;
  count: number;
  height: number;
  /** Keeps all rows in the page, so that the browser's own search finds them. */
  all: boolean;
}

/** The rows that are to be in the page, and a way to bring one into sight. */
export function useRows({ frame, pane, count, height, all }: Rows): Range & { scrollTo: (row: number) => void } {
  const [seen, setSeen] = useState<Range>({ first: 0, last: 12 });
  const update = useCallback(() => {
    if (!frame || all) return;
    const [top, bottom] = edges(pane);
    const next = rowsBetween(top, bottom, frame.getBoundingClientRect().top, height, count);
    setSeen((before) => (before.first === next.first && before.last === next.last ? before : next));
  }, [frame, pane, count, height, all]);
  useEffect(() => {
    if (!frame) return undefined;
    const observer = new ResizeObserver(update);
    observer.observe(frame);
    return () => observer.disconnect();
  }, [frame, update]);
  // Scrolling does not bubble: in the capture phase the window hears of every pane.
  useWindowEvent('scroll', update, CAPTURE);
  useWindowEvent('resize', update);
  const scrollTo = useCallback(
    (row: number) => {
      if (!frame) return;
      const [top, bottom] = edges(pane);
      const start = frame.getBoundingClientRect().top + row * height;
      // The page has a head and a foot of its own that cover its edges.
      const margin = pane ? 8 : 72;
      const by = start < top + margin ? start - top - margin : Math.max(0, start + height - bottom + margin);
      if (by !== 0) (pane ?? window).scrollBy({ top: by });
    },
    [frame, pane, height],
  );
  return { ...(all ? { first: 0, last: count } : seen), scrollTo };
}

function edges(pane: HTMLElement | null | undefined): [number, number] {
  if (!pane) return [0, window.innerHeight];
  const { top, bottom } = pane.getBoundingClientRect();
  return [top, bottom];
}

/** Returns the width of an element, also after its place has changed; 0 until it is there. */
export function useWidth(element: HTMLElement | null): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
