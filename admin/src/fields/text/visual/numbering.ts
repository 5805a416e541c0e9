/**
 * The numbers of ordered lists: when a line comes, goes or moves, the items of its list are counted
 * again in the same step. Lists that nobody touches stay as they are written.
 */
import { ensureSyntaxTree } from '@codemirror/language';
import { type ChangeSpec, EditorState, type Line, type Transaction, type TransactionSpec } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';

const NUMBERED = /^[ \t>]*\d{1,9}[.)](?:[ \t]|$)/;

/** Numbers the lists that a change of lines touches. */
export const numbering = EditorState.transactionFilter.of((tr) => {
  const ranges = changedLists(tr);
  return ranges.length === 0 ? tr : [tr, ...renumber(tr, ranges)];
});

interface Range {
  from: number;
  to: number;
}

/** The places where lines of ordered lists came or went, in the text as it is now; none if no line did. */
function changedLists(tr: Transaction): Range[] {
  if (!tr.docChanged || !(tr.isUserEvent('input') || tr.isUserEvent('delete') || tr.isUserEvent('move'))) return [];
  const before = tr.startState.doc;
  const ranges: Range[] = [];
  tr.changes.iterChanges((fromA, toA, fromB, toB, inserted) => {
    if (inserted.lines === 1 && before.lineAt(fromA).number === before.lineAt(toA).number) return;
    const near = (at: number) => NUMBERED.test(tr.newDoc.lineAt(at).text);
    const last = tr.newDoc.lineAt(toB);
    const next = last.number < tr.newDoc.lines ? tr.newDoc.line(last.number + 1) : last;
    if (near(fromB) || near(toB) || NUMBERED.test(next.text)) ranges.push({ from: tr.newDoc.lineAt(fromB).from, to: next.to });
  });
  return ranges;
}

function renumber(tr: Transaction, ranges: readonly Range[]): TransactionSpec[] {
  const changes = listsAt(tr.state, ranges).flatMap((list) => numberItems(tr.state, list, countingOf(tr, list)));
  return changes.length === 0 ? [] : [{ changes, sequential: true }];
}

function listsAt(state: EditorState, ranges: readonly Range[]): SyntaxNode[] {
  const tree = ensureSyntaxTree(state, Math.max(...ranges.map((it) => it.to)), 50);
  const found = new Map<number, SyntaxNode>();
  for (const { from, to } of ranges) {
    tree?.iterate({ from, to, enter: ({ name, node }) => void (name === 'OrderedList' && found.set(node.from, node)) });
  }
  return [...found.values()];
}

/** The way in which a list counts. */
interface Counting {
  start: number;
  /** 0 for a list whose items all have the same number. */
  step: 0 | 1;
}

/** The counting of the list that was there; of a new list its own. */
function countingOf(tr: Transaction, list: SyntaxNode): Counting {
  const at = tr.changes.invertedDesc.mapPos(list.from, -1);
  const old = ensureSyntaxTree(tr.startState, Math.min(at + 1, tr.startState.doc.length), 50)?.resolveInner(at, 1);
  const lineOf = (place: number) => tr.newDoc.lineAt(place).number;
  for (let node: SyntaxNode | null | undefined = old; node; node = node.parent) {
    const { from } = node;
    // Of a list that is taken apart, the second part goes on.
    const isBegun = [-1, 1].some((side) => lineOf(tr.changes.mapPos(from, side)) === lineOf(list.from));
    if (node.name === 'OrderedList' && isBegun) return readCounting(tr.startState, node);
  }
  return readCounting(tr.state, list);
}

function readCounting(state: EditorState, list: SyntaxNode): Counting {
  const [start = 1, ...others] = list.getChildren('ListItem').map((it) => Number(digitsOf(state, it)));
  return { start, step: others.length > 0 && others.every((it) => it === start) ? 0 : 1 };
}

function digitsOf(state: EditorState, item: SyntaxNode): string {
  return /^\d*/.exec(state.sliceDoc(item.from, item.from + 10))?.[0] ?? '';
}

function numberItems(state: EditorState, list: SyntaxNode, { start, step }: Counting): ChangeSpec[] {
  return list.getChildren('ListItem').flatMap((item, index) => {
    const [is, wanted] = [digitsOf(state, item), String(start + index * step)];
    if (Number(is) === Number(wanted)) return [];
    const width = wanted.length - is.length;
    return [{ from: item.from, to: item.from + is.length, insert: wanted }, ...(width === 0 ? [] : indentRest(state, item, width))];
  });
}

/** Moves the further lines of an item, which stand below its words, when its number gets longer or shorter. */
function indentRest(state: EditorState, item: SyntaxNode, width: number): ChangeSpec[] {
  const first = state.doc.lineAt(item.from);
  const column = item.from - first.from;
  const rest: Line[] = [];
  for (let number = first.number + 1; number <= state.doc.lineAt(item.to).number; number += 1) rest.push(state.doc.line(number));
  return rest.flatMap((line) => {
    const space = /^ */.exec(line.text.slice(column))?.[0].length ?? 0;
    if (space === 0 || space === line.length - column) return [];
    const from = line.from + column;
    return [width > 0 ? { from, insert: ' '.repeat(width) } : { from, to: from + Math.min(-width, space) }];
  });
}
