/** A table on the page: cells that are shown as readers see them, and one that is edited. */
import { Facet } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { t } from '~/i18n';
import { type CellHost, createCellEditor, selectSource, syncCellEditor } from './cellEditor';
import { columnCount, fillCells, insertRow, moveRow, setCell } from './edit';
import { cellAt, parseTable, type Table } from './format';
import { renderCell } from './inline';
import { leaveGrid } from './leave';
import { parseCells } from './paste';
import classes from './table.module.css';
import { tableAt, type TablePlace } from './tables';
import { type CellSelection, selectionIn, writeEdit, writtenByGrid, writeTyped } from './write';

/** A question for the commands of a table: about which cell, and at which place of the window. */
export interface MenuRequest {
  grid: Grid;
  row: number;
  column: number;
  x: number;
  y: number;
}

/** Opens the menu of a table. */
export const tableMenu = Facet.define<(request: MenuRequest) => void>();

interface Active {
  row: number;
  column: number;
  editor: EditorView;
}

export class Grid {
  readonly dom = document.createElement('div');
  private readonly element = document.createElement('table');
  private table: Table = { alignments: [], rows: [] };
  private active: Active | undefined;
  /** The cell that was edited last: the commands of the button are about it. */
  private last = { row: 0, column: 0 };

  constructor(
    readonly main: EditorView,
    text: string,
  ) {
    this.dom.className = classes.grid ?? '';
    this.dom.contentEditable = 'false';
    this.element.setAttribute('role', 'grid');
    const scroller = document.createElement('div');
    scroller.className = classes.scroller ?? '';
    scroller.append(this.element, this.menuButton());
    this.dom.append(scroller);
    this.dom.addEventListener('mousedown', (event) => this.onMouseDown(event));
    this.dom.addEventListener('contextmenu', (event) => this.onContextMenu(event));
    this.update(text);
  }

  /** The place of the table in the text; nothing once it is no table. */
  get place(): TablePlace | undefined {
    return this.dom.isConnected ? tableAt(this.main.state, this.main.posAtDOM(this.dom)) : undefined;
  }

  /** True if one of the cells has the keyboard. */
  get hasFocus(): boolean {
    return this.active?.editor.hasFocus ?? false;
  }

  /** Shows another version of the table. The cell that is edited keeps its editor. */
  update(text: string): void {
    const table = parseTable(text);
    if (!table) return;
    const before = this.table;
    this.table = table;
    const [rows, columns] = [table.rows.length, columnCount(table)];
    this.element.setAttribute('aria-label', t('fields.table.label', { rows, columns }));
    if (this.active && (this.active.row >= rows || this.active.column >= columns)) this.release();
    this.layOut(rows, columns);
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) this.updateCell(before, row, column);
      this.updateHidden(row, columns);
    }
  }

  /** Opens the editor of a cell; the selection is one of its source. */
  enter(row: number, column: number, anchor = 0, head = anchor): void {
    const cell = this.cell(row, column);
    if (!cell || this.main.state.readOnly) return;
    if (this.active?.row !== row || this.active.column !== column) {
      this.release();
      cell.replaceChildren();
      cell.dataset.active = '';
      const editor = createCellEditor(cell, this.source(row, column), this.hostOf(row, column));
      this.active = { row, column, editor };
      this.last = { row, column };
    }
    const { editor } = this.active as Active;
    selectSource(editor, anchor, head);
    editor.focus();
    this.tellSelection(row, column, { anchor, head });
    this.main.requestMeasure();
  }

  /** Opens the editor of the cell in which a place of the text is. */
  enterAt(place: TablePlace, anchor: number, head: number): void {
    const [from, to] = [cellAt(place.text, anchor - place.from), cellAt(place.text, head - place.from)];
    const same = from.row === to.row && from.column === to.column;
    this.enter(to.row, to.column, same ? from.offset : to.offset, to.offset);
  }

  /** Marks the cell in which something was found while the keyboard is elsewhere. */
  mark(found: { row: number; column: number } | undefined): void {
    for (const cell of this.element.querySelectorAll<HTMLElement>('[data-found]')) delete cell.dataset.found;
    const cell = found && this.cell(found.row, found.column);
    if (cell) cell.dataset.found = '';
  }

  /** The rectangle of the cell in which a place of the table is. */
  cellRect(place: number): DOMRect | undefined {
    const { text } = this.place ?? {};
    if (text === undefined) return undefined;
    const { row, column } = cellAt(text, place);
    return this.cell(row, column)?.getBoundingClientRect();
  }

  /** Writes what a command makes of the table, and goes on in a cell of it. */
  apply(table: Table, row: number, column: number, told: string): void {
    const { place } = this;
    if (!place || this.main.state.readOnly) return;
    this.release();
    writeEdit(this.main, place, table, { row, column, anchor: 0, head: 0 }, told);
    this.enter(row, column, this.source(row, column).length);
  }

  /** The table as it is now. */
  get current(): Table {
    return this.table;
  }

  /** Gives the keyboard back to a cell, unless it already has it. */
  resume(row: number, column: number): void {
    if (!this.hasFocus && this.place) this.enter(row, column, this.source(row, column).length);
  }

  destroy(): void {
    this.release();
  }

  private cell(row: number, column: number): HTMLTableCellElement | undefined {
    return this.element.rows[row]?.cells[column];
  }

  private source(row: number, column: number): string {
    return this.table.rows[row]?.[column] ?? '';
  }

  /** Closes the editor of a cell. */
  private release(): void {
    const { active } = this;
    if (!active) return;
    this.active = undefined;
    active.editor.destroy();
    const cell = this.cell(active.row, active.column);
    if (!cell) return;
    delete cell.dataset.active;
    renderCell(cell, this.source(active.row, active.column));
    this.main.requestMeasure();
  }

  private layOut(rows: number, columns: number): void {
    const head = this.element.tHead ?? this.element.createTHead();
    const body = this.element.tBodies[0] ?? this.element.createTBody();
    if (head.rows.length === 0) head.insertRow();
    while (body.rows.length > rows - 1) body.deleteRow(-1);
    while (body.rows.length < rows - 1) body.insertRow();
    for (const [index, row] of [...this.element.rows].entries()) {
      while (row.cells.length > columns) row.deleteCell(-1);
      while (row.cells.length < columns) row.append(makeCell(index));
    }
  }

  private updateCell(before: Table, row: number, column: number): void {
    const cell = this.cell(row, column);
    if (!cell) return;
    cell.dataset.align = this.table.alignments[column] ?? 'none';
    const source = this.source(row, column);
    if (this.active?.row === row && this.active.column === column) return syncCellEditor(this.active.editor, source);
    const old = before.rows[row]?.[column];
    if (old !== source || cell.dataset.shown === undefined) renderCell(cell, source);
    cell.dataset.shown = '';
    return undefined;
  }

  /** Cells beyond the columns are in the file, and no reader sees them. */
  private updateHidden(row: number, columns: number): void {
    const hidden = (this.table.rows[row] ?? []).slice(columns).filter((it) => it !== '');
    const element = this.element.rows[row];
    if (!element) return;
    element.querySelector(`.${classes.hidden}`)?.remove();
    if (hidden.length === 0) return;
    const cell = document.createElement('td');
    cell.className = classes.hidden ?? '';
    cell.title = t('fields.table.hidden');
    cell.textContent = hidden.join(' | ');
    element.append(cell);
  }

  private hostOf(row: number, column: number): CellHost {
    let turn: 'first' | 'more' = 'first';
    return {
      main: this.main,
      label: this.cellLabel(row, column),
      onChange: (source, selection, userEvent) => {
        const { place } = this;
        if (place) writeTyped(this.main, place, setCell(this.table, row, column, source), { row, column, ...selection }, { userEvent, turn });
        turn = 'more';
      },
      onSelect: (selection) => this.tellSelection(row, column, selection),
      onBlur: () => {
        // The window may have lost the keyboard, not the cell.
        if (this.active?.row === row && this.active.column === column && document.activeElement !== this.active.editor.contentDOM) this.release();
      },
      move: (step) => this.move(row, column, step),
      moveRow: (by) => this.moveRow(row, column, by),
      leave: () => leaveGrid(this, 'out'),
      paste: (text) => this.paste(row, column, text),
    };
  }

  private cellLabel(row: number, column: number): string {
    const name = this.cell(0, column)?.textContent?.trim() || String(column + 1);
    return row === 0 ? t('fields.table.headCell', { column: String(column + 1) }) : t('fields.table.cell', { column: name, row: String(row) });
  }

  /** The selection of the text follows that of the cell: commands act on it, and undo returns to it. */
  private tellSelection(row: number, column: number, selection: Pick<CellSelection, 'anchor' | 'head'>): void {
    const { place } = this;
    if (!place) return;
    const wanted = selectionIn(place.from, place.text, { row, column, ...selection });
    const { anchor, head } = this.main.state.selection.main;
    // The place is meant as it is; filters know nothing of cells.
    if (anchor !== wanted.anchor || head !== wanted.head) this.main.dispatch({ selection: wanted, annotations: writtenByGrid.of('more'), filter: false });
  }

  private move(row: number, column: number, step: Parameters<CellHost['move']>[0]): boolean {
    const [rows, columns] = [this.table.rows.length, columnCount(this.table)];
    const go = (to: number, at: number) => {
      if (to < 0) return leaveGrid(this, 'before');
      if (to >= rows) return leaveGrid(this, 'after');
      const { length } = this.source(to, at);
      if (step === 'right') this.enter(to, at);
      else if (step === 'next' || step === 'previous') this.enter(to, at, 0, length);
      else this.enter(to, at, length);
      return true;
    };
    const index = row * columns + column;
    const along = (by: number) => go(Math.floor((index + by) / columns), (index + by + columns) % columns);
    if (step === 'up') return go(row - 1, column);
    if (step === 'down' || step === 'enter') return go(row + 1, column);
    if (step === 'next' && index + 1 === rows * columns) return this.addRow();
    return along(step === 'left' || step === 'previous' ? -1 : 1);
  }

  private addRow(): true {
    const rows = this.table.rows.length;
    this.apply(insertRow(this.table, rows), rows, 0, t('fields.table.rowInserted'));
    return true;
  }

  private moveRow(row: number, column: number, by: 1 | -1): boolean {
    const to = row + by;
    if (row > 0 && to > 0 && to < this.table.rows.length) {
      this.apply(moveRow(this.table, row, to), to, column, t('fields.table.rowMoved', { position: String(to) }));
    }
    return true;
  }

  private paste(row: number, column: number, text: string): boolean {
    const cells = parseCells(text);
    if (!cells) return false;
    this.apply(fillCells(this.table, row, column, cells), row, column, t('fields.table.filled'));
    return true;
  }

  private onMouseDown(event: MouseEvent): void {
    const cell = this.cellOf(event.target);
    if (event.button !== 0 || !cell || this.main.state.readOnly) return;
    const [row, column] = cell;
    if (this.active?.row === row && this.active.column === column) return;
    event.preventDefault();
    this.enter(row, column, this.source(row, column).length);
    const editor = this.active?.editor;
    const place = editor?.posAtCoords({ x: event.clientX, y: event.clientY });
    if (place !== undefined && place !== null) editor?.dispatch({ selection: { anchor: place } });
  }

  /** With Shift, the browser's own menu comes. */
  private onContextMenu(event: MouseEvent): void {
    const cell = this.cellOf(event.target);
    if (!cell || event.shiftKey || this.main.state.readOnly) return;
    event.preventDefault();
    event.stopPropagation();
    const [row, column] = cell;
    // The key for menus has no place of its own.
    const rect = this.cell(row, column)?.getBoundingClientRect();
    const byKey = event.clientX === 0 && event.clientY === 0 && rect;
    this.openMenu(row, column, byKey ? rect.left : event.clientX, byKey ? rect.bottom : event.clientY);
  }

  private openMenu(row: number, column: number, x: number, y: number): void {
    for (const open of this.main.state.facet(tableMenu)) open({ grid: this, row, column, x, y });
  }

  private cellOf(target: EventTarget | null): [number, number] | undefined {
    const cell = target instanceof Element ? target.closest<HTMLTableCellElement>('td, th') : null;
    const row = cell?.parentElement as HTMLTableRowElement | null | undefined;
    if (!cell || !row || cell.cellIndex >= columnCount(this.table)) return undefined;
    return [row.rowIndex, cell.cellIndex];
  }

  private menuButton(): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = classes.menu ?? '';
    button.textContent = '⋯';
    button.setAttribute('aria-label', t('fields.table.menu'));
    button.setAttribute('aria-haspopup', 'menu');
    button.hidden = this.main.state.readOnly;
    // The cell keeps the keyboard until the menu takes it.
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      const { left, bottom } = button.getBoundingClientRect();
      const rows = this.table.rows.length;
      this.openMenu(Math.min(this.last.row, rows - 1), Math.min(this.last.column, columnCount(this.table) - 1), left, bottom);
    });
    return button;
  }
}

function makeCell(row: number): HTMLTableCellElement {
  const cell = document.createElement(row === 0 ? 'th' : 'td');
  cell.setAttribute('role', row === 0 ? 'columnheader' : 'gridcell');
  return cell;
}
