/** Writing a table back into the text: the whole of it aligned, and nothing around it touched. */
import { isolateHistory } from '@codemirror/commands';
import { Annotation } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { lineChanges } from './changes';
import { formatTable, locateCell, type Table } from './format';
import type { TablePlace } from './tables';

/**
 * Marks a change that a grid has made: it leaves a table that is aligned. *More* continues the change
 * before, of the same cell: one step of undo, though the pipes of other lines move.
 */
export const writtenByGrid = Annotation.define<'first' | 'more'>();

/** A selection within the source of a cell. */
export interface CellSelection {
  row: number;
  column: number;
  anchor: number;
  head: number;
}

/** Writes what was typed into a cell; `by` is the event of the editor of the cell. */
export function writeTyped(view: EditorView, place: TablePlace, table: Table, cell: CellSelection, by: { userEvent: string; turn: 'first' | 'more' }): void {
  const spec = writing(place, table, cell);
  const { anchor, head } = view.state.selection.main;
  // A blank at the end of a cell is not in the file; a step of its own would part what is typed in two.
  if (spec.changes.length === 0 && spec.selection.anchor === anchor && spec.selection.head === head) return;
  view.dispatch(spec, { userEvent: by.userEvent, annotations: writtenByGrid.of(by.turn) });
}

/** Writes the result of a command: one step for itself, which screen readers are told. */
export function writeEdit(view: EditorView, place: TablePlace, table: Table, cell: CellSelection, told: string): void {
  view.dispatch(writing(place, table, cell), {
    userEvent: 'input.table',
    annotations: [writtenByGrid.of('first'), isolateHistory.of('full')],
    effects: EditorView.announce.of(told),
  });
}

function writing(place: TablePlace, table: Table, cell: CellSelection) {
  const text = formatTable(table);
  return { changes: lineChanges(place.from, place.text, text), selection: selectionIn(place.from, text, cell) };
}

/** Returns the selection in the text that is one in a cell of the table that begins at `from`. */
export function selectionIn(from: number, text: string, { row, column, anchor, head }: CellSelection): { anchor: number; head: number } {
  const cell = locateCell(text, row, column) ?? { from: 0, to: 0 };
  const place = (offset: number) => from + Math.min(cell.from + offset, cell.to);
  return { anchor: place(anchor), head: place(head) };
}
