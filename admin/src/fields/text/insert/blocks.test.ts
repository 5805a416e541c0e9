import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state';
import { expect, it } from 'vitest';
import { markdown } from '~/code/markdown';
import { insertCodeBlock, insertDivider, insertFootnote, setHeading } from './blocks';

/** Runs a command on a text in which `¦` stands where the caret does, or `‹` and `›` around what is selected. */
function run(command: StateCommand, marked: string): string {
  const [from, to] = marked.includes('‹') ? [marked.indexOf('‹'), marked.indexOf('›') - 1] : [marked.indexOf('¦'), marked.indexOf('¦')];
  let state = EditorState.create({ doc: marked.replaceAll(/[‹›¦]/g, ''), selection: EditorSelection.range(from, to), extensions: markdown });
  command({ state, dispatch: (transaction) => (state = transaction.state) });
  const { head } = state.selection.main;
  return `${state.sliceDoc(0, head)}¦${state.sliceDoc(head)}`;
}

it.each([
  [setHeading(2), '¦', '## ¦'],
  [setHeading(3), 'wo¦rds', '### wo¦rds'],
  [setHeading(3), '## wo¦rds', '### wo¦rds'],
  [setHeading(2), '- [ ] wo¦rds', '## wo¦rds'],
  [insertDivider, '¦', '---\n\n¦'],
  [insertDivider, 'words¦', 'words\n\n---\n\n¦'],
  [insertDivider, 'words\n\n¦\n\nmore', 'words\n\n---\n\n¦more'],
  [insertCodeBlock, '¦', '```\n¦\n```'],
  [insertCodeBlock, 'a\n‹b›\nc', 'a\n\n```\nb¦\n```\n\nc'],
  [insertFootnote, 'words¦.', 'words[^1].\n\n[^1]: ¦'],
  [insertFootnote, 'a[^3] words¦\n\n[^3]: three\n', 'a[^3] words[^4]\n\n[^3]: three\n[^4]: ¦'],
])('%#', (command, before, after) => {
  expect(run(command, before)).toBe(after);
});
