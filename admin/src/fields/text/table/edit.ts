/** The edits of a table. Each returns another table, and leaves what it does not name as it is. */
import type { Alignment, Table } from './format';

export function columnCount(table: Table): number {
  return table.alignments.length;
}

/** Writes the source of a cell. */
export function setCell(table: Table, row: number, column: number, source: string): Table {
  return {
    ...table,
    rows: table.rows.map((cells, index) => (index === row ? replaced(filled(cells, column + 1), column, source) : cells)),
  };
}

/** Inserts an empty row before another, or at the end; the head stays the head. */
export function insertRow(table: Table, before: number): Table {
  return { ...table, rows: inserted(table.rows, Math.max(1, before), []) };
}

/** Deletes a row; in the place of the head comes the row below it. */
export function deleteRow(table: Table, row: number): Table {
  return { ...table, rows: without(table.rows, row) };
}

/** Moves a row to the place of another. */
export function moveRow(table: Table, from: number, to: number): Table {
  return { ...table, rows: moved(table.rows, from, to) };
}

/** Inserts an empty column before another, or at the end. */
export function insertColumn(table: Table, before: number): Table {
  return {
    alignments: inserted(table.alignments, before, 'none'),
    rows: table.rows.map((cells) => (cells.length < before ? cells : inserted(cells, before, ''))),
  };
}

export function deleteColumn(table: Table, column: number): Table {
  return { alignments: without(table.alignments, column), rows: table.rows.map((cells) => without(cells, column)) };
}

/** Moves a column to the place of another. */
export function moveColumn(table: Table, from: number, to: number): Table {
  return {
    alignments: moved(table.alignments, from, to),
    rows: table.rows.map((cells) => moved(filled(cells, Math.max(from, to) + 1), from, to)),
  };
}

export function alignColumn(table: Table, column: number, alignment: Alignment): Table {
  return { ...table, alignments: replaced(table.alignments, column, alignment) };
}

/** Writes a grid of sources over the cells from one on; rows and columns that are missing are added. */
export function fillCells(table: Table, row: number, column: number, grid: readonly (readonly string[])[]): Table {
  const width = Math.max(...grid.map((it) => it.length));
  let next = table;
  while (columnCount(next) < column + width) next = insertColumn(next, columnCount(next));
  const missing = Math.max(0, row + grid.length - next.rows.length);
  next = { ...next, rows: [...next.rows, ...Array.from({ length: missing }, () => [])] };
  const rows = next.rows.map((cells, index) => {
    const line = grid[index - row];
    return line ? filled(cells, column + line.length).toSpliced(column, line.length, ...line) : cells;
  });
  return { ...next, rows };
}

/** Makes a table of a grid of sources; the first line is its head. */
export function tableOf(grid: readonly (readonly string[])[]): Table {
  const width = Math.max(...grid.map((it) => it.length));
  return { alignments: Array.from({ length: width }, () => 'none' as const), rows: grid };
}

function filled(cells: readonly string[], length: number): readonly string[] {
  return cells.length >= length ? cells : [...cells, ...Array.from({ length: length - cells.length }, () => '')];
}

function replaced<T>(list: readonly T[], at: number, item: T): readonly T[] {
  return list.map((it, index) => (index === at ? item : it));
}

function inserted<T>(list: readonly T[], at: number, item: T): readonly T[] {
  return [...list.slice(0, at), item, ...list.slice(at)];
}

function without<T>(list: readonly T[], at: number): readonly T[] {
  return list.filter((_, index) => index !== at);
}

function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const item = list[from];
  return item === undefined ? list : inserted(without(list, from), to, item);
}
