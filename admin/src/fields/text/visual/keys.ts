/** The keys of the visual look: what is hidden is deleted and moved as a whole. */
import type { ChangeSpec, EditorState, StateCommand } from '@codemirror/state';
import type { KeyBinding } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { toLineStart } from './caret';
import { editLink } from './link-panel';
import { enterPicture } from './picture-widget';
import { type Prefix, readPrefix } from './prefix';
import { toggleTask } from './tasks';

/** The keys. Tab leads out of the editor, except from a picture and from the beginning of an item. */
export const visualKeys: readonly KeyBinding[] = [
  { key: 'Backspace', run: deleteSign },
  { key: 'Delete', run: joinNextLine },
  { key: 'Home', run: toLineStart(false), shift: toLineStart(true) },
  { mac: 'Cmd-ArrowLeft', run: toLineStart(false), shift: toLineStart(true) },
  { key: 'Mod-Enter', run: toggleTask },
  { key: 'Mod-k', run: editLink },
  { key: 'Tab', run: (view) => indentItem(view) || enterPicture(view), shift: outdentItem },
];

const HEADING = /^[ \t]*#{1,6}[ \t]+$/;

/** At the beginning of the words, takes the sign before them away: the line is text again, or less deep. */
function deleteSign({ state, dispatch }: Parameters<StateCommand>[0]): boolean {
  const { main } = state.selection;
  if (state.readOnly || !main.empty) return false;
  const line = state.doc.lineAt(main.head);
  const prefix = readPrefix(state, line);
  const heading = HEADING.exec(state.sliceDoc(prefix.end, main.head));
  if (heading) {
    dispatch(state.update({ changes: { from: prefix.end, to: main.head }, userEvent: 'delete.backward', scrollIntoView: true }));
    return true;
  }
  const start = main.head === prefix.end ? signStart(prefix) : undefined;
  if (start === undefined) return false;
  dispatch(state.update({ changes: [...blankBefore(state, line.number, start), { from: start, to: prefix.end }], userEvent: 'delete.backward', scrollIntoView: true }));
  return true;
}

/** The place from which the last sign of a prefix is deleted: with its task, and the space before it. */
function signStart({ signs }: Prefix): number | undefined {
  for (let index = signs.length - 1; index >= 0; index -= 1) {
    const sign = signs[index];
    if (sign?.kind === 'quote') return sign.from;
    if (sign?.kind === 'marker') return sign.from;
  }
  return undefined;
}

/** Without an empty line before it, the text would go on in the item or quotation above. */
function blankBefore(state: EditorState, number: number, start: number): ChangeSpec[] {
  const line = state.doc.line(number);
  const above = number > 1 ? state.doc.line(number - 1) : undefined;
  if (!above || readPrefix(state, above).end === above.to) return [];
  const outer = state.sliceDoc(line.from, start).trimEnd();
  return [{ from: line.from, insert: `${outer}\n` }];
}

/** At the end of a line, joins the next one without its signs. */
function joinNextLine({ state, dispatch }: Parameters<StateCommand>[0]): boolean {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  if (state.readOnly || !main.empty || main.head < line.to || line.number === state.doc.lines) return false;
  const next = state.doc.line(line.number + 1);
  const { end } = readPrefix(state, next);
  if (end === next.from) return false;
  dispatch(state.update({ changes: { from: line.to, to: end }, userEvent: 'delete.forward' }));
  return true;
}

/** The item at the beginning of whose words the caret is. */
function itemAtStart(state: EditorState): SyntaxNode | undefined {
  const { main } = state.selection;
  const line = state.doc.lineAt(main.head);
  if (state.readOnly || !main.empty) return undefined;
  const { levels, end } = readPrefix(state, line);
  const item = levels.at(-1);
  return item?.kind === 'item' && item.node.from >= line.from && main.head === end ? item.node : undefined;
}

function contentOf(state: EditorState, item: SyntaxNode): number {
  return /^\S+[ \t]?/.exec(state.sliceDoc(item.from, state.doc.lineAt(item.from).to))?.[0].length ?? 2;
}

/** Puts an item below the one before it. */
function indentItem({ state, dispatch }: Parameters<StateCommand>[0]): boolean {
  const item = itemAtStart(state);
  const before = item?.prevSibling;
  if (!item || before?.name !== 'ListItem') return false;
  const space = ' '.repeat(contentOf(state, before));
  const start = item.from - state.doc.lineAt(item.from).from;
  const changes = linesOf(state, item).map((line) => ({ from: Math.min(line.from + start, line.to), insert: line.text.trim() === '' ? '' : space }));
  dispatch(state.update({ changes, userEvent: 'input.indent' }));
  return true;
}

/** Puts an item beside the one that it is below. */
function outdentItem({ state, dispatch }: Parameters<StateCommand>[0]): boolean {
  const item = itemAtStart(state);
  const outer = item?.parent?.parent;
  if (!item || outer?.name !== 'ListItem') return false;
  const columnOf = (node: SyntaxNode) => node.from - state.doc.lineAt(node.from).from;
  const [start, less] = [columnOf(outer), columnOf(item) - columnOf(outer)];
  const changes = linesOf(state, item).flatMap((line) => {
    const from = line.from + start;
    const space = /^ */.exec(state.sliceDoc(Math.min(from, line.to), line.to))?.[0].length ?? 0;
    return space > 0 ? [{ from, to: from + Math.min(less, space) }] : [];
  });
  dispatch(state.update({ changes, userEvent: 'delete.dedent' }));
  return true;
}

function linesOf(state: EditorState, { from, to }: SyntaxNode) {
  const [first, last] = [state.doc.lineAt(from).number, state.doc.lineAt(to).number];
  return Array.from({ length: last - first + 1 }, (_, index) => state.doc.line(first + index));
}
