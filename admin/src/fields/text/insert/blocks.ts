/** The commands of the insertions that need no dialog. */
import { EditorSelection, type StateCommand } from '@codemirror/state';
import { toggleCode } from '../commands';
import { blanksAround } from './place';

const LINE_START = /^(\s*)(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?|\d+[.)]\s+|>\s?)?/;

/** Makes the line of the caret a heading of a size. */
export function setHeading(size: number): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const line = state.doc.lineAt(state.selection.main.head);
    const start = LINE_START.exec(line.text)?.[0].length ?? 0;
    const changes = state.changes({ from: line.from, to: line.from + start, insert: `${'#'.repeat(size)} ` });
    dispatch(state.update({ changes, selection: state.selection.map(changes, 1), scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

/** A line across the text; the caret goes on below it. */
export const insertDivider: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const { from, to } = state.selection.main;
  const { before } = blanksAround(state.doc, { from, to });
  const rest = state.doc.sliceString(to, to + 2);
  const after = rest === '\n\n' ? '' : rest.startsWith('\n') ? '\n' : '\n\n';
  const insert = `${before}---${after}`;
  const selection = { anchor: from + before.length + '---\n\n'.length };
  dispatch(state.update({ changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: 'input' }));
  return true;
};

/** A block of code; what is selected is its text. */
export const insertCodeBlock: StateCommand = (target) => {
  const { state, dispatch } = target;
  const { from, to } = state.selection.main;
  if (state.sliceDoc(from, to).includes('\n')) return toggleCode(target);
  if (state.readOnly) return false;
  const { before, after } = blanksAround(state.doc, { from, to });
  const text = state.sliceDoc(from, to);
  const insert = `${before}\`\`\`\n${text}\n\`\`\`${after}`;
  const selection = { anchor: from + before.length + '```\n'.length + text.length };
  dispatch(state.update({ changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: 'input' }));
  return true;
};

/** A footnote: its mark behind the selection, and the place of its text at the end, where the caret goes. */
export const insertFootnote: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const { to } = state.selection.main;
  const text = state.doc.toString();
  const used = [...text.matchAll(/\[\^(\d+)\]/g)].map((it) => Number(it[1]));
  const name = `[^${Math.max(0, ...used) + 1}]`;
  const definition = `${gapBeforeNote(text)}${name}: `;
  const changes = state.changes([
    { from: to, insert: name },
    { from: state.doc.length, insert: definition },
  ]);
  const selection = EditorSelection.single(changes.newLength);
  dispatch(state.update({ changes, selection, scrollIntoView: true, userEvent: 'input' }));
  return true;
};

/** Footnotes stand below each other, and an empty line before the first. */
function gapBeforeNote(text: string): string {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const ends = /\n*$/.exec(text)?.[0].length ?? 0;
  const wanted = /^\[\^[^\]]+\]:/.test(last) ? 1 : 2;
  return '\n'.repeat(Math.max(0, wanted - ends));
}
