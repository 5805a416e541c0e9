import { history, moveLineDown, moveLineUp, undo } from '@codemirror/commands';
import { EditorState, type StateCommand } from '@codemirror/state';
import { describe, expect, it, vi } from 'vitest';
import { markdown } from '~/code/markdown';
import { continueList } from '../commands';
import { numbering } from './numbering';

vi.mock('~/base', () => ({ BASE: '', NONCE: '', withBase: (path: string) => path }));

/** Runs a command on a text with `^` for the caret; the text after it, and after it is undone. */
function run(command: StateCommand, marked: string): string {
  const at = marked.indexOf('^');
  const doc = marked.replace('^', '');
  let state = EditorState.create({ doc, selection: { anchor: at }, extensions: [markdown, history(), numbering] });
  const view = {
    get state() {
      return state;
    },
    dispatch: (tr: { state: EditorState }) => (state = tr.state),
  };
  command(view);
  const after = state.doc.toString();
  undo(view);
  expect(state.doc.toString(), 'one step back').toBe(doc);
  return after;
}

const insert = (text: string): StateCommand => ({ state, dispatch }) => {
  dispatch(state.update({ ...state.replaceSelection(text), userEvent: 'input.type' }));
  return true;
};
const removeBack: StateCommand = ({ state, dispatch }) => {
  const { head } = state.selection.main;
  dispatch(state.update({ changes: { from: state.doc.lineAt(head).from - 1, to: head }, userEvent: 'delete.backward' }));
  return true;
};
const remove: StateCommand = ({ state, dispatch }) => {
  const line = state.doc.lineAt(state.selection.main.head);
  const isLast = line.number === state.doc.lines;
  const changes = { from: isLast ? line.from - 1 : line.from, to: isLast ? line.to : line.to + 1 };
  dispatch(state.update({ changes, userEvent: 'delete.line' }));
  return true;
};

describe('numbers follow', () => {
  it.each([
    ['a line that moves down', moveLineDown, '1. a^\n2. b\n3. c', '1. b\n2. a\n3. c'],
    ['a line that moves up', moveLineUp, '4. a\n5. b^\n6. c', '4. b\n5. a\n6. c'],
    ['a new item', continueList, '1. a^\n2. b\n3. c', '1. a\n2. \n3. b\n4. c'],
    ['an item that goes', remove, '1. a\n2. b^\n3. c', '1. a\n2. c'],
    ['the first item that goes', remove, '1. a^\n2. b\n3. c', '1. b\n2. c'],
    ['an item joined with the one before', removeBack, '1. a\n2. ^b\n3. c', '1. ab\n2. c'],
    ['signs of another kind', remove, '1) a\n2) b^\n3) c', '1) a\n2) c'],
    ['a list in a quotation', remove, '> 1. a^\n> 2. b', '> 1. b'],
    ['lists within items', remove, '1. a\n   1. x^\n   2. y\n2. b', '1. a\n   1. y\n2. b'],
    ['longer numbers, with what is below them', continueList, '8. a^\n9. b\n   - c\n10. d', '8. a\n9. \n10. b\n    - c\n11. d'],
    ['shorter numbers, with what is below them', remove, '8. x^\n9. a\n10. b\n    - c', '8. a\n9. b\n   - c'],
  ] as const)('%s', (_, command, before, after) => {
    expect(run(command, before)).toBe(after);
  });

  it.each([
    ['another list is changed', remove, '1. a\n3. b\n\ntext\n\n1. x^\n2. y', '1. a\n3. b\n\ntext\n\n1. y'],
    ['words are typed', insert('x'), '1. a^\n3. b', '1. ax\n3. b'],
    ['all items have the same number', remove, '1. a\n1. b^\n1. c\n1. d', '1. a\n1. c\n1. d'],
    ['a list is taken apart', insert('\n\nx\n'), '1. a^\n2. b', '1. a\n\nx\n\n2. b'],
    ['a new item has the number of all', continueList, '1. a^\n1. b', '1. a\n1. \n1. b'],
    ['it is code', remove, '```\n1. a^\n2. b\n```', '```\n2. b\n```'],
    ['no list is near', remove, 'a^\nb', 'b'],
  ] as const)('stay while %s', (_, command, before, after) => {
    expect(run(command, before)).toBe(after);
  });
});
