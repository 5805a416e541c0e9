import { history, undo } from '@codemirror/commands';
import { ensureSyntaxTree } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import { expect, it, vi } from 'vitest';
import { markdownProse } from '~/code/languages';
import { slashField } from '../insert/slash/slashState';
import { tableGrid } from './tableGrid';
import { shownTables } from './tables';
import { writtenByGrid } from './write';

vi.mock('~/base', () => ({ BASE: '', NONCE: '', withBase: (path: string) => path }));

function open(doc: string): EditorState {
  const state = EditorState.create({ doc, extensions: [markdownProse, history(), tableGrid(), slashField] });
  ensureSyntaxTree(state, doc.length, 5000);
  // The tables are found with the first change after the text is parsed.
  return state.update({ changes: { from: 0, insert: ' ' } }).state.update({ changes: { from: 0, to: 1 } }).state;
}

it('aligns every table that one edit changes', () => {
  const state = open('| a |\n| --- |\n| x |\n\nx\n\n| b |\n| --- |\n| x |\n');
  const places = [...state.doc.toString().matchAll(/x/g)].map((it) => it.index);
  const changes = places.map((from) => ({ from, to: from + 1, insert: 'longer' }));
  const { newDoc } = state.update({ changes, userEvent: 'input.replace.all' });
  const table = (head: string) => `| ${head}      |\n| ------ |\n| longer |`;
  expect(newDoc.toString()).toBe(`${table('a')}\n\nlonger\n\n${table('b')}\n`);
});

it('opens no menu of blocks for a slash in a cell', () => {
  const state = open('| a |\n| - |\n|   |\n');
  const typed = { changes: { from: 14, to: 15, insert: '/' }, selection: { anchor: 15 }, userEvent: 'input.type' };
  expect(state.update(typed).state.field(slashField)).not.toBeNull();
  expect(state.update({ ...typed, annotations: writtenByGrid.of('first') }).state.field(slashField)).toBeNull();
});

it('leaves what is typed at once one step to undo', () => {
  let state = open('\n');
  for (const [at, letter] of [...'word'].entries()) state = state.update({ changes: { from: at, insert: letter }, userEvent: 'input.type' }).state;
  undo({ state, dispatch: (tr) => (state = tr.state) });
  expect(state.doc.toString()).toBe('\n');
});

it('comes into a text that is there', () => {
  const look = new Compartment();
  let state = EditorState.create({ doc: '|a|b|\n|-|-|\n', extensions: [markdownProse, look.of([])] });
  state = state.update({ effects: look.reconfigure(tableGrid()) }).state;
  expect(state.field(shownTables)).toHaveLength(1);
});

it('leaves a table lines while it is typed, until the caret is elsewhere', () => {
  let state = EditorState.create({ doc: '\n\nend', extensions: [markdownProse, history(), tableGrid(), slashField] });
  const typed = '| a | b |\n|---|---|\n| 1 | `x\\|y` |\n';
  for (const [at, letter] of [...typed].entries()) {
    state = state.update({ changes: { from: at, insert: letter }, selection: { anchor: at + 1 }, userEvent: 'input.type' }).state;
    expect(state.field(shownTables)).toEqual([]);
  }
  expect(state.doc.toString()).toBe(`${typed}\n\nend`);
  state = state.update({ selection: { anchor: state.doc.length } }).state;
  expect(state.field(shownTables)).toHaveLength(1);
  // A table that is there already is one whatever is typed.
  state = state.update({ changes: { from: 2, to: 3, insert: 'c' }, selection: { anchor: 3 }, userEvent: 'input.type' }).state;
  expect(state.field(shownTables)).toHaveLength(1);
});
