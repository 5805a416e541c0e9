import { type KeyboardEvent, type MouseEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { GridCell } from './GridCell';
import classes from './MediaGrid.module.css';
import { nextTile } from './roving';
import { useRows, useWidth } from './rows';

/** The commands that the grid accepts from outside. */
export interface GridHandle {
  /** Gives the keyboard to a file, else to the one that had it last. */
  focus: (filename?: string) => void;
}

interface MediaGridProps {
  /** The name of the grid, for screen readers. */
  label: string;
  items: readonly MediaItem[];
  /** The number of files once all pages are there. */
  total?: number | undefined;
  /** Tells whether a file is picked: with its place in the order where that counts. */
  mark: (item: MediaItem) => boolean | number;
  /** Files that are picked for good: they cannot be toggled. */
  isTaken?: (item: MediaItem) => boolean;
  /** The file that is open beside the grid. */
  current?: string | undefined;
  onOpen: (item: MediaItem) => void;
  /** `range`: all from the one toggled last. */
  onToggle: (index: number, range: boolean) => void;
  /** Keys of the grid that are about more than moving in it. Tells whether it was one. */
  onKey?: (event: KeyboardEvent, index: number) => boolean;
  multiple?: boolean;
  /** Files can be dragged onto a category. */
  draggable?: boolean;
  handle?: Ref<GridHandle>;
  /** The element that scrolls around the grid; the page without one. */
  pane?: HTMLElement | null;
}

const GAP = 12;
const CAPTION = 52;
/** Up to so many tiles all are in the page. */
const ALL_UP_TO = 200;

function layoutOf(width: number, count: number): { columns: number; rows: number; height: number } {
  const least = width < 480 ? 132 : 152;
  const columns = Math.max(1, Math.floor((width + GAP) / (least + GAP)));
  const tile = (width - GAP * (columns - 1)) / columns;
  return { columns, rows: Math.ceil(count / columns), height: Math.round(tile * 0.75) + CAPTION + GAP };
}

/** Files as a grid of pictures: one has the keyboard, some are picked, one may be open. */
export function MediaGrid(props: MediaGridProps) {
  const { items, pane } = props;
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const width = useWidth(frame);
  const { columns, rows, height } = layoutOf(width, items.length);
  const { first, last, scrollTo } = useRows({ frame, pane, count: rows, height, all: items.length <= ALL_UP_TO });
  const { active, setActive, move } = useRoving(props, frame, (index) => scrollTo(Math.floor(index / columns)));
  function onKeyDown(event: KeyboardEvent): void {
    const item = items[active];
    if (!item || event.altKey) return;
    const to = event.ctrlKey || event.metaKey ? undefined : nextTile(event.key, active, items.length, columns);
    if (to !== undefined) {
      if (event.shiftKey && props.multiple) props.onToggle(to, true);
      move(to);
    } else if (event.key === ' ') props.onToggle(active, event.shiftKey);
    else if (event.key === 'Enter') props.onOpen(item);
    else if (!props.onKey?.(event, active)) return;
    event.preventDefault();
  }
  function onClick(event: MouseEvent): void {
    const target = event.target as Element;
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset.index ?? -1);
    const item = items[index];
    if (!item) return;
    setActive(index);
    const toggles = event.ctrlKey || event.metaKey || event.shiftKey || target.closest('[data-check]');
    if (toggles) props.onToggle(index, event.shiftKey);
    else props.onOpen(item);
  }
  const shown = width === 0 ? [] : rowsOf(first, Math.min(last, rows), Math.floor(active / columns));
  return (
    <div
      ref={setFrame}
      role="grid"
      aria-label={props.label}
      aria-multiselectable={props.multiple}
      aria-rowcount={Math.ceil((props.total ?? items.length) / columns)}
      aria-colcount={columns}
      className={classes.grid}
      style={{ height: Math.max(0, rows * height - GAP) }}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onClick={onClick}
    >
      {shown.map((row) => (
        <div
          key={row}
          role="row"
          aria-rowindex={row + 1}
          className={classes.row}
          style={{
            top: row * height,
            height: height - GAP,
            gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
          }}
        >
          {items.slice(row * columns, (row + 1) * columns).map((item, column) => {
            const index = row * columns + column;
            return (
              <GridCell
                key={item.filename}
                item={item}
                index={index}
                mark={props.mark(item)}
                taken={props.isTaken?.(item) ?? false}
                open={props.current === item.filename}
                tabbable={index === active}
                draggable={props.draggable ?? false}
                onFocus={() => setActive(index)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

/** The rows in sight, and the one that has the keyboard: it would lose it if it went. */
function rowsOf(first: number, last: number, active: number): number[] {
  const rows = Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
  if (active < first) return [active, ...rows];
  return active < last ? rows : [...rows, active];
}

/** One tile has the keyboard; it is scrolled to and, once it is there, focused. */
function useRoving({ items, handle }: MediaGridProps, frame: HTMLElement | null, reveal: (index: number) => void) {
  const [wanted, setActive] = useState(0);
  const active = Math.max(0, Math.min(wanted, items.length - 1));
  const awaited = useRef<number>(undefined);
  // Before anything else can happen: the tile that had the keyboard may be gone already, and keys with it.
  useLayoutEffect(() => {
    if (awaited.current !== active) return;
    const cell = frame?.querySelector<HTMLElement>(`[data-index="${active}"]`);
    if (!cell) return;
    awaited.current = undefined;
    cell.focus({ preventScroll: true });
  });
  function move(to: number): void {
    awaited.current = to;
    setActive(to);
    reveal(to);
    // Where the tile stays the same, nothing is drawn anew that would focus it.
    if (to === active) frame?.querySelector<HTMLElement>(`[data-index="${to}"]`)?.focus({ preventScroll: true });
  }
  useImperativeHandle(handle, () => ({
    focus: (filename) => {
      const index = items.findIndex((it) => it.filename === filename);
      move(index < 0 ? active : index);
    },
  }));
  return { active, setActive, move };
}
