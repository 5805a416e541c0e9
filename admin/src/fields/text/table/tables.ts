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
export const shownTables: StateField<readonly TablePlace[]> = StateField.define<readonly TablePlace[]>({
  create: (state) => findTables(state, []),
  update(tables, tr) {
    const typed = tr.state.field(typedTable);
    // Neither field is in the state before the one that brings them in.
    const isSettled = typed === tr.startState.field(typedTable, false) && syntaxTree(tr.state) === syntaxTree(tr.startState);
    if (!tr.docChanged && isSettled) return tables;
    const next = findTables(tr.state, moved(tables, tr)).filter((it) => it.from !== typed);
    return isSame(next, tables) ? tables : next;
  },
});

/**
 * The beginning of a table that is being typed, sign by sign. It stays lines until the caret leaves them:
 * it is a table before the line below its head is done, and a grid would take the rest for a cell.
 */
export const typedTable: StateField<number | undefined> = StateField.define<number | undefined>({
  create: () => undefined,
  update(typed, tr) {
    if (typed === undefined && !(tr.docChanged && tr.isUserEvent('input.type'))) return undefined;
    const now = tableAtCaret(tr.state);
    if (now === undefined) return undefined;
    const { changes } = tr;
    if (typed !== undefined) return changes.mapPos(typed, -1) === now ? now : undefined;
    const wasShown = tr.startState.field(shownTables).some(({ from, to }) => changes.mapPos(from, -1) <= now && now <= changes.mapPos(to, 1));
    return wasShown ? undefined : now;
  },
});

/** Returns the beginning of the table in whose lines the caret is, or in the line after them. */
function tableAtCaret(state: EditorState): number | undefined {
  const line = state.doc.lineAt(state.selection.main.head);
  const node = syntaxTree(state).topNode.childBefore(line.to + 1);
  return node?.name === 'Table' && line.from <= node.to + 1 ? state.doc.lineAt(node.from).from : undefined;
}

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
