/** The place of an insertion: what is around it, and putting a text there as one step that can be undone. */
import { isolateHistory } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Text } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';

/** A stretch of the text. */
export interface Place {
  from: number;
  to: number;
}

/** Leaves out the blanks at the ends of a place: signs would mean nothing beside them. */
export function withoutBlanks({ doc }: EditorState, { from, to }: Place): Place {
  const text = doc.sliceString(from, to);
  if (text.trim() === '') return { from, to };
  return { from: from + text.length - text.trimStart().length, to: to - text.length + text.trimEnd().length };
}

/** A text to insert, and what is selected in it afterwards; else the caret is at its end. */
export interface Insert {
  text: string;
  select?: Place | undefined;
  /** True if it is a picture that still needs an alt text. */
  isNameless?: boolean;
}

/** Puts a text in a place where nobody is any more; the selection stays where it is. */
export function insertElsewhere(view: EditorView, { from, to }: Place, text: string, userEvent: string): void {
  view.dispatch({ changes: { from, to, insert: text }, userEvent, annotations: isolateHistory.of('full') });
}

/** Puts a text in a place. Undo takes all of it back, and nothing else. */
export function insertAt(view: EditorView, { from, to }: Place, { text, select }: Insert, userEvent = 'input.insert'): void {
  const selection = select ? { anchor: from + select.from, head: from + select.to } : { anchor: from + text.length };
  view.dispatch({ changes: { from, to, insert: text }, selection, scrollIntoView: true, userEvent, annotations: isolateHistory.of('full') });
}

/** Puts blocks in a place, with the empty lines that they need on either side. */
export function insertBlocksAt(view: EditorView, place: Place, text: string, userEvent?: string): void {
  const { before, after } = blanksAround(view.state.doc, place);
  const end = before.length + text.length;
  insertAt(view, place, { text: before + text + after, select: { from: end, to: end } }, userEvent);
}

/** Returns the ends of lines that a block needs before and after it. At the end of the text it needs none. */
export function blanksAround(doc: Text, { from, to }: Place): { before: string; after: string } {
  const head = doc.sliceString(Math.max(0, from - 2), from);
  const tail = doc.sliceString(to, to + 2);
  const before = from === 0 || head === '\n\n' || (from === 1 && head === '\n') ? '' : head.endsWith('\n') ? '\n' : '\n\n';
  const after = tail === '' || tail === '\n\n' || tail === '\n' ? '' : tail.startsWith('\n') ? '\n' : '\n\n';
  return { before, after };
}

const LITERAL = new Set(['FencedCode', 'CodeBlock', 'CodeText', 'InlineCode', 'HTMLBlock', 'HTMLTag', 'CommentBlock', 'URL', 'LinkReference']);

/** Checks whether a place is in code, in an address or in HTML, where signs mean nothing. */
export function isLiteral(state: EditorState, place: number): boolean {
  for (let node: { name: string; parent: unknown } | null = syntaxTree(state).resolveInner(place, -1); node; ) {
    if (LITERAL.has(node.name)) return true;
    node = node.parent as typeof node;
  }
  return false;
}
