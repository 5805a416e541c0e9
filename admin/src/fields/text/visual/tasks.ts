/** Tasks in a list: done, or not yet. */
import type { ChangeSpec, EditorState, StateCommand } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

const TASK = /^(?:[ \t]*(?:>|(?:[-*+]|\d+[.)])(?=[ \t])))+[ \t]+\[([ xX])\]/;

function findTask({ doc }: EditorState, at: number): { at: number; done: boolean } | undefined {
  const line = doc.lineAt(at);
  const found = TASK.exec(line.text);
  return found ? { at: line.from + found[0].length - 2, done: found[1] !== ' ' } : undefined;
}

/** Changes the task of the line at a place. */
export function setTask(view: EditorView, at: number): void {
  const task = findTask(view.state, at);
  if (!task || view.state.readOnly) return;
  view.dispatch({ changes: { from: task.at, to: task.at + 1, insert: task.done ? ' ' : 'x' }, userEvent: 'input' });
}

/** Changes the tasks that the selection touches: all are done then, or none is. */
export const toggleTask: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const { from, to } = state.selection.main;
  const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number];
  const tasks = Array.from({ length: last - first + 1 }, (_, index) => findTask(state, state.doc.line(first + index).from)).filter((it) => it !== undefined);
  if (tasks.length === 0) return false;
  const insert = tasks.every((it) => it.done) ? ' ' : 'x';
  const changes: ChangeSpec[] = tasks.map((it) => ({ from: it.at, to: it.at + 1, insert }));
  dispatch(state.update({ changes, userEvent: 'input' }));
  return true;
};
