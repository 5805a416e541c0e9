/** The caret among hidden signs: it stands where the words of a line begin, never before them. */
import { EditorSelection, EditorState, type Extension, type SelectionRange } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { readPrefix } from './prefix';

/** Keeps the caret out of the signs at the beginning of a line; from there, left leads to the line above. */
export const keepCaretInWords: Extension = EditorState.transactionFilter.of((transaction) => {
  const { selection, startState } = transaction;
  if (!selection || transaction.docChanged) return transaction;
  const before = startState.selection.main.head;
  const ranges = selection.ranges.map((range) => (range.empty ? moveOut(startState, range, before, transaction.isUserEvent('select.pointer')) : range));
  if (ranges.every((it, index) => it === selection.ranges[index])) return transaction;
  return [transaction, { selection: EditorSelection.create(ranges, selection.mainIndex), sequential: true }];
});

function moveOut(state: EditorState, range: SelectionRange, before: number, isPointer: boolean): SelectionRange {
  const line = state.doc.lineAt(range.head);
  const { end } = readPrefix(state, line);
  if (range.head >= end) return range;
  const goesBack = !isPointer && before === end && line.from > 0;
  return EditorSelection.cursor(goesBack ? line.from - 1 : end);
}

/** Leads to the beginning of the words, or extends the selection to it. */
export function toLineStart(extend: boolean): (view: EditorView) => boolean {
  return (view) => {
    const { state } = view;
    const heads = state.selection.ranges.map((range) => {
      const { end } = readPrefix(state, state.doc.lineAt(range.head));
      const { head } = view.moveToLineBoundary(range, false);
      return head <= end ? end : undefined;
    });
    // Where nothing hides signs, and in the further lines of a long paragraph, the editor's own way is right.
    if (heads.some((it) => it === undefined) || state.selection.ranges.every((it, index) => heads[index] === state.doc.lineAt(it.head).from)) return false;
    const ranges = state.selection.ranges.map((range, index) => {
      const head = heads[index] ?? range.head;
      return extend ? EditorSelection.range(range.anchor, head) : EditorSelection.cursor(head);
    });
    view.dispatch({ selection: EditorSelection.create(ranges, state.selection.mainIndex), scrollIntoView: true, userEvent: 'select' });
    return true;
  };
}
