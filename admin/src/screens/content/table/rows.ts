/** Finds and focuses the rows of a list in the page: the keyboard moves from row to row. */
import { useLayoutEffect } from 'react';

function rowOf(element: Element | null): HTMLElement | null {
  return element?.closest<HTMLElement>('tr[data-row]') ?? null;
}

/** The id of the row that has the keyboard. */
export function focusedRow(): string | undefined {
  return rowOf(document.activeElement)?.dataset.row;
}

/** The column of the cell that has the keyboard. */
export function focusedColumn(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('td[data-column]')?.dataset.column;
}

/** Puts the keyboard on a row: on the link that opens it. */
export function focusRow(id: string): void {
  focus(rowWithId(id));
}

function rowWithId(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`tr[data-row="${CSS.escape(id)}"]`);
}

/** The row from which the list was left: there the keyboard goes on. */
let left: string | undefined;

/** Keeps the row that has the keyboard when the list goes, to open an entry say. */
export function useLeftRow(): void {
  // The rows are still in the page then.
  useLayoutEffect(
    () => () => {
      left = focusedRow();
    },
    [],
  );
}

/** Puts the keyboard on the row after the one that has it, or before it. */
export function moveFocus(step: 1 | -1): void {
  const row = rowOf(document.activeElement) ?? (left === undefined ? null : rowWithId(left));
  left = undefined;
  focus(document.querySelector<HTMLElement>(`tr[data-index="${row ? Number(row.dataset.index) + step : 0}"]`));
}

function focus(row: HTMLElement | null): void {
  const link = row?.querySelector<HTMLElement>('[data-row-link]');
  link?.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
}
