/** Tables as grids in the editor: how the caret comes into them, and what keeps them tables. */
import { history } from '@codemirror/commands';
import { syntaxTree } from '@codemirror/language';
import { EditorState, type Extension, Prec, type Transaction } from '@codemirror/state';
import { Decoration, EditorView, keymap, type ViewUpdate } from '@codemirror/view';
import { tableOf } from './edit';
import { cellAt, formatTable } from './format';
import { gridAt, GridWidget } from './GridWidget';
import { repairTables } from './guard';
import { parseCells } from './paste';
import { shownTables, tableAt, type TablePlace, typedTable } from './tables';
import { writtenByGrid } from './write';

/** The extension; `tableMenu` says who opens the menu of a table. */
export function tableGrid(): Extension {
  return [
    typedTable,
    shownTables,
    EditorView.decorations.compute([shownTables], widgetsOf),
    // The caret passes by in one step.
    EditorView.atomicRanges.of(({ state }) => widgetsOf(state)),
    EditorState.transactionFilter.of((tr) => {
      if (!tr.docChanged || tr.annotation(writtenByGrid) || !(tr.isUserEvent('input') || tr.isUserEvent('delete'))) return tr;
      const repair = repairTables(tr.startState.field(shownTables), tr);
      return repair ? [tr, repair] : tr;
    }),
    history({ joinToEvent: continuesStep }),
    EditorView.updateListener.of(follow),
    focusHandlers(),
    Prec.high(pasteHandlers()),
    Prec.high(
      keymap.of([
        { key: 'ArrowDown', run: (view) => enterVertically(view, true) },
        { key: 'ArrowUp', run: (view) => enterVertically(view, false) },
        { key: 'ArrowRight', run: (view) => enterBeside(view, 1) },
        { key: 'Delete', run: (view) => enterBeside(view, 1) },
        { key: 'ArrowLeft', run: (view) => enterBeside(view, -1) },
        { key: 'Backspace', run: (view) => enterBeside(view, -1) },
      ]),
    ),
  ];
}

/** Checks whether a change belongs to the step of undo before it: of cells, the grid says so; of text, the place does. */
function continuesStep(tr: Transaction, isAdjacent: boolean): boolean {
  const turn = tr.annotation(writtenByGrid);
  return turn === undefined ? isAdjacent : turn === 'more';
}

function widgetsOf(state: EditorState) {
  const tables = state.field(shownTables, false) ?? [];
  return Decoration.set(tables.map(({ from, to, text }) => Decoration.replace({ widget: new GridWidget(text), block: true }).range(from, to)));
}

/** An editor that gets the keyboard while its caret is in a table passes it on to the cell. */
function focusHandlers(): Extension {
  let pressed = false;
  return EditorView.domEventHandlers({
    // A press puts the caret elsewhere, a moment after the focus.
    mousedown: () => {
      pressed = true;
      setTimeout(() => {
        pressed = false;
      });
    },
    focus: (_, view) => {
      if (!pressed) enterIfInside(view);
    },
  });
}

function follow({ view, selectionSet, docChanged, focusChanged, transactions }: ViewUpdate): void {
  if (!selectionSet && !docChanged && !focusChanged) return;
  // A command of the toolbar acts on the text, while a cell has the keyboard.
  const isCommand = transactions.some((it) => it.selection && !it.annotation(writtenByGrid));
  if (view.hasFocus || (isCommand && hasFocusedCell(view))) enterIfInside(view);
  else markFound(view);
}

function hasFocusedCell(view: EditorView): boolean {
  return view.state.field(shownTables).some((it) => gridAt(view, it.from)?.hasFocus);
}

/** Opens the cell that the caret has come into by a command, a search or an undo. */
function enterIfInside(view: EditorView, again = true): void {
  const { anchor, head } = view.state.selection.main;
  const table = tableAt(view.state, head);
  if (!table || table !== tableAt(view.state, anchor)) return;
  const grid = gridAt(view, table.from);
  if (grid) grid.enterAt(table, anchor, head);
  else if (again) {
    view.dispatch({ effects: EditorView.scrollIntoView(table.from) });
    requestAnimationFrame(() => view.hasFocus && enterIfInside(view, false));
  }
}

/** While somebody searches, the keyboard is in the search; the cell with the match is marked. */
function markFound(view: EditorView): void {
  const { from, to, empty } = view.state.selection.main;
  for (const table of view.state.field(shownTables)) {
    const found = !empty && table.from <= from && to <= table.to;
    const grid = gridAt(view, table.from);
    grid?.mark(found && !grid.hasFocus ? cellAt(table.text, from - table.from) : undefined);
  }
}

function enter(view: EditorView, place: number): boolean {
  view.dispatch({ selection: { anchor: place }, scrollIntoView: true });
  enterIfInside(view);
  return true;
}

/** Up and down lead into a table that lies between here and there. */
function enterVertically(view: EditorView, forward: boolean): boolean {
  const { main } = view.state.selection;
  if (!main.empty) return false;
  const { head } = view.moveVertically(main, forward);
  const tables = view.state.field(shownTables);
  const beside = (table: TablePlace) => (forward ? table.from - 1 === main.head : table.to + 1 === main.head);
  const between = (table: TablePlace) => (forward ? main.head < table.from && table.from <= head : head <= table.to && table.to < main.head);
  const next = forward ? tables.find((it) => beside(it) || between(it)) : tables.findLast((it) => beside(it) || between(it));
  return next ? enter(view, forward ? next.from : lastRow(next)) : false;
}

/** The first cell of the last row. */
function lastRow({ text, from }: TablePlace): number {
  return from + text.lastIndexOf('\n') + 1;
}

function enterBeside(view: EditorView, step: 1 | -1): boolean {
  const { empty, head } = view.state.selection.main;
  const next = empty && view.state.field(shownTables).find((it) => (step > 0 ? it.from - 1 : it.to + 1) === head);
  return next ? enter(view, step > 0 ? next.from : next.to) : false;
}

/** With Shift, what is pasted stays the text that it is. */
function pasteHandlers(): Extension {
  let plainUntil = 0;
  return EditorView.domEventHandlers({
    keydown: (event) => {
      if ((event.ctrlKey || event.metaKey) && event.shiftKey && event.code === 'KeyV') plainUntil = Date.now() + 1000;
      return false;
    },
    paste: (event, view) => Date.now() >= plainUntil && pasteTable(event, view),
  });
}

/** The cells of a spreadsheet become a table where there is an empty line. */
function pasteTable(event: ClipboardEvent, view: EditorView): boolean {
  const { state } = view;
  const { empty, head } = state.selection.main;
  const line = state.doc.lineAt(head);
  if (state.readOnly || !empty || line.text.trim() !== '' || syntaxTree(state).resolveInner(head).name !== 'Document') return false;
  const cells = parseCells(event.clipboardData?.getData('text/plain') ?? '');
  if (!cells) return false;
  event.preventDefault();
  const isBlank = (number: number) => number < 1 || number > state.doc.lines || state.doc.line(number).text.trim() === '';
  const [lead, trail] = [isBlank(line.number - 1) ? '' : '\n', isBlank(line.number + 1) ? '' : '\n'];
  const insert = lead + formatTable(tableOf(cells)) + trail;
  view.dispatch({
    changes: { from: line.from, to: line.to, insert },
    selection: { anchor: line.from + lead.length + 2 },
    scrollIntoView: true,
    userEvent: 'input.paste',
  });
  return true;
}
