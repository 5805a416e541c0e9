/** Tables of Markdown: read from lines with pipes, and written as lines whose pipes stand below each other. */
import { displayWidth } from './width';

export type Alignment = 'none' | 'left' | 'center' | 'right';

export interface Table {
  /** One for each column. */
  alignments: readonly Alignment[];
  /** The head, then the other rows; cells as they stand in the source. A row may have too few cells, or too many. */
  rows: readonly (readonly string[])[];
}

/** A stretch of a line. */
export interface Span {
  from: number;
  to: number;
}

const DELIMITER = /^:?-+:?$/;
/** A cell that is wider sticks out, so that typing in it does not change every line. */
const WIDTH_MAX = 60;
const WIDTH_MIN = 3;

/** Returns the table that some lines are; nothing if they are none. */
export function parseTable(text: string): Table | undefined {
  const [head = '', delimiter = '', ...body] = text.split('\n');
  const signs = cellsOf(delimiter);
  const titles = cellsOf(head);
  if (titles.length === 0 || titles.length !== signs.length || !delimiter.includes('|')) return undefined;
  if (!signs.every((it) => DELIMITER.test(it))) return undefined;
  return { alignments: signs.map(alignmentOf), rows: [titles, ...body.map(cellsOf)] };
}

function alignmentOf(sign: string): Alignment {
  const [left, right] = [sign.startsWith(':'), sign.endsWith(':')];
  if (left && right) return 'center';
  return left ? 'left' : right ? 'right' : 'none';
}

function cellsOf(line: string): string[] {
  return splitRow(line).map(({ from, to }) => line.slice(from, to));
}

/** Returns the places of the cells in a line, without the blanks around them. */
export function splitRow(line: string): Span[] {
  const cells: Span[] = [];
  const indent = /^[ \t]*/.exec(line)?.[0].length ?? 0;
  let start = line[indent] === '|' ? indent + 1 : 0;
  let escaped = false;
  for (let at = start; at < line.length; at += 1) {
    if (line[at] === '|' && !escaped) {
      cells.push(trimmed(line, start, at));
      start = at + 1;
    }
    escaped = !escaped && line[at] === '\\';
  }
  const rest = trimmed(line, start, line.length);
  return rest.from < rest.to ? [...cells, rest] : cells;
}

/** The stretch without the blanks around it; an empty cell begins after its first blank. */
function trimmed(line: string, from: number, to: number): Span {
  let [start, end] = [from, to];
  while (start < end && isBlank(line[start])) start += 1;
  while (end > start && isBlank(line[end - 1])) end -= 1;
  return start < end ? { from: start, to: end } : { from: Math.min(from + 1, to), to: Math.min(from + 1, to) };
}

function isBlank(sign: string | undefined): boolean {
  return sign === ' ' || sign === '\t';
}

/** Returns the lines of a table. Cells beyond the columns, which readers do not see, are kept. */
export function formatTable({ alignments, rows }: Table): string {
  const widths = alignments.map((_, column) => widthOf(rows, column));
  const lines = rows.map((row) => {
    const cells = alignments.map((alignment, column) => pad(row[column] ?? '', widths[column] ?? WIDTH_MIN, alignment));
    return line([...cells, ...row.slice(alignments.length)]);
  });
  const delimiter = line(alignments.map((alignment, column) => signOf(alignment, widths[column] ?? WIDTH_MIN)));
  return [lines[0], delimiter, ...lines.slice(1)].join('\n');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function widthOf(rows: Table['rows'], column: number): number {
  const widths = rows.map((row) => displayWidth(row[column] ?? '')).filter((it) => it <= WIDTH_MAX);
  return widths.reduce((widest, it) => Math.max(widest, it), WIDTH_MIN);
}

function pad(text: string, width: number, alignment: Alignment): string {
  const free = Math.max(0, width - displayWidth(text));
  const before = alignment === 'right' ? free : alignment === 'center' ? Math.floor(free / 2) : 0;
  return ' '.repeat(before) + text + ' '.repeat(free - before);
}

function signOf(alignment: Alignment, width: number): string {
  const dashes = '-'.repeat(width);
  if (alignment === 'none') return dashes;
  const left = alignment === 'right' ? '-' : ':';
  const right = alignment === 'left' ? '-' : ':';
  return left + dashes.slice(2) + right;
}

/** Returns the place of a cell in the lines of a table; nothing if the row does not reach that far. */
export function locateCell(text: string, row: number, column: number): Span | undefined {
  const lines = text.split('\n');
  const index = row === 0 ? 0 : row + 1;
  const span = splitRow(lines[index] ?? '')[column];
  if (!span) return undefined;
  const start = lines.slice(0, index).reduce((sum, it) => sum + it.length + 1, 0);
  return { from: start + span.from, to: start + span.to };
}

/** Returns the cell that a place in the lines of a table belongs to, and the place within its source. */
export function cellAt(text: string, place: number): { row: number; column: number; offset: number } {
  const lines = text.slice(0, place).split('\n');
  const index = lines.length - 1;
  const row = index < 2 ? 0 : index - 1;
  const line = text.split('\n')[row === 0 ? 0 : index] ?? '';
  const at = index === 1 ? 0 : (lines.at(-1)?.length ?? 0);
  const cells = splitRow(line);
  const found = cells.findLastIndex((it, column) => column === 0 || it.from <= at);
  const cell = cells[found];
  return { row, column: Math.max(0, found), offset: cell ? Math.min(Math.max(0, at - cell.from), cell.to - cell.from) : 0 };
}

/** Returns the text of a cell as it is written by hand: a pipe is just a pipe. */
export function cellText(source: string): string {
  return source.replaceAll(/\\([\\|])/g, (pair, sign: string) => (sign === '|' ? '|' : pair));
}

/** Returns the source of a cell: one line, in which no pipe ends it. */
export function cellSource(text: string): string {
  const line = text.includes('\n') || text.includes('\r') ? text.trim().split(/[\r\n]+/).map((it) => it.trim()).join('<br>') : text;
  const source = escapePipes(line);
  const { from, to } = trimmed(source, 0, source.length);
  return source.slice(from, to);
}

/** Puts a backslash before every pipe that has none. */
function escapePipes(text: string): string {
  return text.replaceAll(/\\[\s\S]|\|/g, (it) => (it === '|' ? String.raw`\|` : it));
}
