/** Cells that were copied in a spreadsheet: lines with tabs between the cells. */
import { cellSource } from './format';

/** Returns the sources of the cells that a text from the clipboard holds; nothing if it is not a grid. */
export function parseCells(text: string): string[][] | undefined {
  if (!text.includes('\t')) return undefined;
  const rows = split(text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, ''));
  const width = rows[0]?.length ?? 0;
  // Lines that are only indented have nothing in their first column.
  if (width < 2 || rows.some((it) => it.length !== width) || rows.every((it) => it[0]?.trim() === '')) return undefined;
  return rows.map((row) => row.map((it) => cellSource(it.trim())));
}

/** A cell that has a tab, a line end or a quotation mark in it stands in quotation marks. */
function split(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"([^"]*(?:""[^"]*)*)"(?=[\t\n]|$)|([^\t\n]*))(\t|\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
    if (end === '') break;
  }
  return rows;
}
