/**
 * The beginning of a line: the signs of the quotations and lists that it stands in. They are shown as
 * bars, bullets and indentation, and the caret never stands among them.
 */
import { syntaxTree } from '@codemirror/language';
import type { EditorState, Line } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

/** A sign at the beginning of a line, or the space before one. */
export interface Sign {
  kind: 'space' | 'quote' | 'marker' | 'task';
  from: number;
  to: number;
}

/** A quotation or an item that a line stands in. */
export interface Level {
  kind: 'quote' | 'item';
  node: SyntaxNode;
}

export interface Prefix {
  /** The outermost first. */
  levels: readonly Level[];
  signs: readonly Sign[];
  /** The place at which the words of the line begin. */
  end: number;
}

/** Reads the beginning of a line. */
export function readPrefix(state: EditorState, line: Line): Prefix {
  const levels = levelsOf(state, line);
  const signs: Sign[] = [];
  let place = line.from;
  const add = (kind: Sign['kind'], length: number) => {
    if (length > 0) signs.push({ kind, from: place, to: place + length });
    place += length;
  };
  for (const { kind, node } of levels) {
    const rest = line.text.slice(place - line.from);
    if (kind === 'quote') add('quote', /^[ \t]*>[ \t]?/.exec(rest)?.[0].length ?? 0);
    else if (node.from < line.from) add('space', indentation(rest, contentColumn(state, node, place - line.from)));
    else readItem(state, node, line, place, add);
  }
  return { levels, signs, end: place };
}

function readItem(state: EditorState, item: SyntaxNode, line: Line, place: number, add: (kind: Sign['kind'], length: number) => void): void {
  add('space', item.from - place);
  const marker = state.sliceDoc(item.from, line.to);
  add('marker', /^\S+(?:[ \t]{1,4}(?=\S|$)|[ \t])?/.exec(marker)?.[0].length ?? 0);
  const task = item.getChild('Task');
  if (task) add('task', /^\[[ xX]\][ \t]?/.exec(state.sliceDoc(task.from, line.to))?.[0].length ?? 0);
}

/** The quotations and items that a line stands in. */
function levelsOf(state: EditorState, line: Line): Level[] {
  const length = line.text.trimEnd().length;
  const tree = syntaxTree(state);
  const levels: Level[] = [];
  let node: SyntaxNode | null = length === 0 ? tree.resolveInner(line.from, 1) : tree.resolveInner(line.from + length, -1);
  for (; node; node = node.parent) {
    if (node.name === 'Blockquote') levels.unshift({ kind: 'quote', node });
    if (node.name === 'ListItem') levels.unshift({ kind: 'item', node });
  }
  return levels;
}

/** The number of columns by which further lines of an item are indented, from where its own line begins. */
function contentColumn(state: EditorState, item: SyntaxNode, start: number): number {
  const line = state.doc.lineAt(item.from);
  const marker = /^\S+(?:[ \t]{1,4}(?=\S|$)|[ \t])?/.exec(state.sliceDoc(item.from, line.to))?.[0].length ?? 0;
  return Math.max(0, item.from - line.from + marker - start);
}

/** The length of the white space that fills so many columns; less if there is less. */
function indentation(text: string, columns: number): number {
  let [length, column] = [0, 0];
  while (column < columns && (text[length] === ' ' || text[length] === '\t')) {
    column += text[length] === '\t' ? 4 - (column % 4) : 1;
    length += 1;
  }
  return length;
}

/** Checks whether an item is a task, and whether it is done. */
export function taskOf(state: EditorState, item: SyntaxNode): boolean | undefined {
  const marker = item.getChild('Task')?.getChild('TaskMarker');
  return marker ? /x/i.test(state.sliceDoc(marker.from, marker.to)) : undefined;
}

/** The marker of an item: `-` or `12.`. */
export function markerOf(state: EditorState, item: SyntaxNode): string {
  const mark = item.getChild('ListMark');
  return mark ? state.sliceDoc(mark.from, mark.to) : '';
}
