/** The tables of a text that are shown as grids: those that stand by themselves, not in a list or a quotation. */
import { syntaxTree } from '@codemirror/language';
import { type EditorState, StateField, type Text, type Transaction } from '@codemirror/state';
import { parseTable } from './format';

/** A table in the text: whole lines. */
export interface TablePlace {
  from: number;
  to: number;
  text: string;
}

/** Tables beyond this stay lines: a grid of so many elements would be slow. */
const CELLS_MAX = 2000;
const SHOWN_MAX = 200_000;

/** The tables in their order; brought up to date with the syntax of the text. */
export const shownTables = StateField.define<readonly TablePlace[]>({
  create: (state) => findTables(state, []),
  update(tables, tr) {
    if (!tr.docChanged && syntaxTree(tr.state) === syntaxTree(tr.startState)) return tables;
    const next = findTables(tr.state, moved(tables, tr));
    return isSame(next, tables) ? tables : next;
  },
});

/** Returns the shown table that a place is in, its ends included. */
export function tableAt(state: EditorState, place: number): TablePlace | undefined {
  return state.field(shownTables, false)?.find((it) => it.from <= place && place <= it.to);
}

/** Finds the tables; where the text is still to be parsed, those that were known stay. */
function findTables(state: EditorState, known: readonly TablePlace[]): readonly TablePlace[] {
  const tree = syntaxTree(state);
  const found: TablePlace[] = [];
  const isParsed = (end: number) => tree.length === state.doc.length || end < tree.length;
  for (let node = tree.topNode.firstChild; node; node = node.nextSibling) {
    if (node.name === 'Table' && isParsed(node.to)) add(found, state.doc, node.from, node.to);
  }
  for (const { from, to } of known) {
    if (!isParsed(to) && from < to && from > (found.at(-1)?.to ?? -1)) add(found, state.doc, from, to);
  }
  return found;
}

function add(found: TablePlace[], doc: Text, start: number, end: number): void {
  const [from, to] = [doc.lineAt(start).from, doc.lineAt(end).to];
  const text = doc.sliceString(from, to);
  const table = text.length <= SHOWN_MAX ? parseTable(text) : undefined;
  if (table && table.rows.length * table.alignments.length <= CELLS_MAX) found.push({ from, to, text });
}

function moved(tables: readonly TablePlace[], { changes }: Transaction): readonly TablePlace[] {
  return tables.map(({ from, to, text }) => ({ from: changes.mapPos(from, 1), to: changes.mapPos(to, -1), text }));
}

function isSame(some: readonly TablePlace[], others: readonly TablePlace[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ from, to, text }, index) => {
      const other = others[index];
      return other?.from === from && other.to === to && other.text === text;
    })
  );
}
