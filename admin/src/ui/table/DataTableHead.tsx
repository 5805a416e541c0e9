import { Table, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { t } from '~/i18n';
import classes from './DataTable.module.css';
import type { Column } from './types';

interface HeadProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
  onResize: ((key: string, width: number) => void) | undefined;
}

/** The head of a column: sorts by it, and makes it wider or narrower. */
export function DataTableHead<Row>({ column, sort, onSort, onResize }: HeadProps<Row>) {
  const sortable = column.sortable && onSort !== undefined;
  const up = sort === column.key;
  const down = sort === `-${column.key}`;
  const Icon = up ? IconArrowUp : down ? IconArrowDown : IconArrowsSort;
  const order = up ? 'ascending' : down ? 'descending' : 'none';
  return (
    <Table.Th w={column.width} ta={column.align} aria-sort={sortable ? order : undefined} className={classes.th}>
      {sortable ? (
        <UnstyledButton
          className={classes.sort}
          data-active={up || down || undefined}
          onClick={() => onSort(up ? `-${column.key}` : column.key)}
        >
          <span className={classes.label}>{column.label}</span>
          <Icon size={14} aria-hidden />
        </UnstyledButton>
      ) : (
        <span className={column.quiet ? 'visually-hidden' : classes.label}>{column.label}</span>
      )}
      {onResize && !column.quiet && (
        <Handle label={column.label} onResize={(width) => onResize(column.key, width)} />
      )}
    </Table.Th>
  );
}

const NARROWEST = 64;
const WIDEST = 800;
const STEP = 16;

interface HandleProps {
  label: string;
  onResize: (width: number) => void;
}

/** Makes a column wider or narrower, by dragging or with the arrow keys. */
function Handle({ label, onResize }: HandleProps) {
  const drag = useRef<{ cell: HTMLElement; from: number; before: number; width: number } | undefined>(undefined);

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const cell = event.currentTarget.closest('th');
    if (!cell) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    const width = cell.getBoundingClientRect().width;
    drag.current = { cell, from: event.clientX, before: width, width };
  }
  function onPointerMove(event: PointerEvent<HTMLElement>) {
    if (!drag.current) return;
    const { cell, from, before } = drag.current;
    const towards = document.documentElement.dir === 'rtl' ? -1 : 1;
    const width = within(before + towards * (event.clientX - from));
    drag.current.width = width;
    // Set on the element while it is dragged, so that no row is drawn again.
    cell.style.width = `${width}px`;
  }
  function onPointerUp() {
    if (drag.current && drag.current.width !== drag.current.before) onResize(drag.current.width);
    drag.current = undefined;
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const step = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
    const cell = event.currentTarget.closest('th');
    if (step === 0 || !cell) return;
    event.preventDefault();
    onResize(within(cell.getBoundingClientRect().width + step));
  }
  return (
    <UnstyledButton
      className={classes.handle}
      aria-label={t('content.resizeColumn', { column: label })}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onKeyDown={onKeyDown}
    />
  );
}

function within(width: number): number {
  return Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)));
}
