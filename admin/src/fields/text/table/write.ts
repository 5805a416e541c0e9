/** Writing a table back into the text: the whole of it aligned, and nothing around it touched. */
import { isolateHistory } from '@codemirror/commands';
import type { TransactionSpec } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { lineChanges } from './changes';
import { formatTable, locateCell, type Table } from './format';
import type { TablePlace } from './tables';

/** A selection within the source of a cell. */
export interface CellSelection {
  row: number;
  column: number;
  anchor: number;
  head: number;
}

/** Writes a table in the place of another; the selection goes to a cell of the new one. */
export function writeTable(view: EditorView, place: TablePlace, table: Table, cell: CellSelection, userEvent: string): void {
  view.dispatch(writing(place, table, cell), { userEvent });
}

/** Writes the result of a command: one step for itself, which screen readers are told. */
export function writeEdit(view: EditorView, place: TablePlace, table: Table, cell: CellSelection, told: string): void {
  view.dispatch(writing(place, table, cell), {
    userEvent: 'input.table',
    annotations: isolateHistory.of('full'),
    effects: EditorView.announce.of(told),
  });
}

function writing(place: TablePlace, table: Table, cell: CellSelection): TransactionSpec {
  const text = formatTable(table);
  return { changes: lineChanges(place.from, place.text, text), selection: selectionIn(place.from, text, cell) };
}

/** Returns the selection in the text that is one in a cell of the table that begins at `from`. */
export function selectionIn(from: number, text: string, { row, column, anchor, head }: CellSelection): { anchor: number; head: number } {
  const cell = locateCell(text, row, column) ?? { from: 0, to: 0 };
  const place = (offset: number) => from + Math.min(cell.from + offset, cell.to);
  return { anchor: place(anchor), head: place(head) };
}
