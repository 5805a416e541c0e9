import { describe, expect, it } from 'vitest';
import { ChangeSet, Text } from '@codemirror/state';
import { lineChanges } from './changes';
import { alignColumn, deleteColumn, deleteRow, fillCells, insertColumn, insertRow, moveColumn, moveRow, setCell } from './edit';
import { cellAt, cellSource, cellText, formatTable, locateCell, parseTable, type Table } from './format';
import { parseCells } from './paste';
import { displayWidth } from './width';

const lines = (...all: string[]) => all.join('\n');
const read = (text: string): Table => {
  const table = parseTable(text);
  if (!table) throw new Error(`no table: ${text}`);
  return table;
};

describe('a table', () => {
  it.each<[string, string]>([
    ['a|b\n-|-\n1|2', lines('| a   | b   |', '| --- | --- |', '| 1   | 2   |')],
    ['|a|b|\n|:-|-:|\n|1|2|', lines('| a   |   b |', '| :-- | --: |', '| 1   |   2 |')],
    ['|centre|\n|:-:|\n|1|', lines('| centre |', '| :----: |', '|   1    |')],
    ['a | b\n- | -\n1', lines('| a   | b   |', '| --- | --- |', '| 1   |     |')],
    ['|a|\n|-|\n|1|hidden|', lines('| a   |', '| --- |', '| 1   | hidden |')],
    ['|a \\| b|`c\\|d`|\n|-|-|', lines(String.raw`| a \| b | \`c\|d\` |`.replaceAll('\\`', '`'), '| ------ | ------ |')],
    ['|日本|b|\n|-|-|\n|x|é|', lines('| 日本 | b   |', '| ---- | --- |', '| x    | é   |')],
  ])('is aligned: %j', (text, expected) => {
    expect(formatTable(read(text))).toBe(expected);
  });

  it.each(['a | b', 'a | b\n- ', '| a | b |\n| - |', '| a |\n| x |', 'a\n---', ''])('is not %j', (text) => {
    expect(parseTable(text)).toBeUndefined();
  });

  it('does not grow with a cell that is very long', () => {
    const text = formatTable(read(`|a|b|\n|-|-|\n|${'x'.repeat(90)}|1|\n|y|2|`));
    expect(text.split('\n')[0]).toBe('| a   | b   |');
    expect(text.split('\n')[2]).toBe(`| ${'x'.repeat(90)} | 1   |`);
  });
});

describe('the edits', () => {
  const table = read(lines('|a|b|', '|-|-:|', '|1|2|', '|3|4|'));
  it.each<[string, Table, string]>([
    ['sets a cell', setCell(table, 1, 0, 'X'), '|a|b|/|X|2|/|3|4|'],
    ['inserts a row', insertRow(table, 2), '|a|b|/|1|2|/|||/|3|4|'],
    ['never inserts above the head', insertRow(table, 0), '|a|b|/|||/|1|2|/|3|4|'],
    ['deletes a row', deleteRow(table, 1), '|a|b|/|3|4|'],
    ['makes a row the head', deleteRow(table, 0), '|1|2|/|3|4|'],
    ['moves a row', moveRow(table, 1, 2), '|a|b|/|3|4|/|1|2|'],
    ['inserts a column', insertColumn(table, 1), '|a||b|/|1||2|/|3||4|'],
    ['deletes a column', deleteColumn(table, 0), '|b|/|2|/|4|'],
    ['moves a column', moveColumn(table, 0, 1), '|b|a|/|2|1|/|4|3|'],
    ['fills beyond the end', fillCells(table, 2, 1, [['x', 'y'], ['z', '']]), '|a|b||/|1|2||/|3|x|y|/||z||'],
  ])('%s', (_, next, expected) => {
    const all = formatTable(next).split('\n');
    const plain = all.filter((__, index) => index !== 1).map((line) => line.replaceAll(' ', ''));
    expect(plain.join('/')).toBe(expected);
  });

  it('moves the alignment with its column', () => {
    expect(moveColumn(table, 1, 0).alignments).toEqual(['right', 'none']);
    expect(alignColumn(table, 0, 'center').alignments).toEqual(['center', 'right']);
  });

  it('leaves cells that readers do not see', () => {
    expect(insertColumn(read('|a|\n|-|\n|1|hidden|'), 1).rows[1]).toEqual(['1', '', 'hidden']);
  });
});

describe('a cell', () => {
  it.each([
    ['a | b', String.raw`a \| b`],
    [String.raw`a \\ b`, String.raw`a \\ b`],
    [String.raw`\\|`, String.raw`\\\|`],
    ['', ''],
  ])('%j is written %j', (text, source) => {
    expect(cellSource(text)).toBe(source);
    expect(cellText(source)).toBe(text);
  });

  it('is one line', () => {
    expect(cellSource(' a\nb ')).toBe('a<br>b');
  });

  it('is found by its place and back', () => {
    const text = lines('| a   | b   |', '| --- | --- |', '|     | xyz |');
    expect(locateCell(text, 1, 1)).toEqual({ from: text.indexOf('xyz'), to: text.indexOf('xyz') + 3 });
    expect(cellAt(text, text.indexOf('yz'))).toEqual({ row: 1, column: 1, offset: 1 });
    expect(cellAt(text, text.length)).toEqual({ row: 1, column: 1, offset: 3 });
    expect(cellAt(text, 0)).toEqual({ row: 0, column: 0, offset: 0 });
    expect(cellAt(text, text.indexOf('---'))).toEqual({ row: 0, column: 0, offset: 0 });
    expect(locateCell(text, 1, 0)).toEqual({ from: text.lastIndexOf('\n') + 3, to: text.lastIndexOf('\n') + 3 });
  });
});

it.each<[string, string[][] | undefined]>([
  ['a\tb\n1\t2\n', [['a', 'b'], ['1', '2']]],
  ['a|b\t"x\ty"\r\n"two\nlines"\t"say ""so"""', [[String.raw`a\|b`, 'x\ty'], ['two<br>lines', 'say "so"']]],
  ['a\t\n1\t2', [['a', ''], ['1', '2']]],
  ['one line', undefined],
  ['\tindented\n\tcode', undefined],
  ['a\tb\nc', undefined],
])('cells of a spreadsheet: %j', (text, expected) => {
  expect(parseCells(text)).toEqual(expected);
});

it.each([
  ['abc', 3],
  ['日本語', 6],
  ['e\u0301', 1],
  ['👩‍👩‍👧', 2],
  ['❤️', 2],
  ['한', 2],
  ['ß', 1],
])('%j takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width);
});

describe('random tables', () => {
  const SIGNS = ['a', 'b', ' ', ' ', '|', '\\', '`', '*', '日', '👍', '-', ':', '<br>', '\t', 'é', '#'];
  for (let seed = 1; seed <= 200; seed += 1) {
    it(`are stable, seed ${seed}`, () => {
      const table = randomTable(seed);
      const text = formatTable(table);
      const again = read(text);
      expect(again.alignments).toEqual(table.alignments);
      for (const [row, cells] of table.rows.entries()) {
        for (const [column, source] of cells.entries()) expect(again.rows[row]?.[column] ?? '').toBe(source);
      }
      expect(formatTable(again)).toBe(text);
      const after = formatTable(setCell(again, 0, 0, cellSource('new | text')));
      const changes = ChangeSet.of(lineChanges(0, text, after), text.length);
      expect(changes.apply(Text.of(text.split('\n'))).toString()).toBe(after);
    });
  }

  function randomTable(seed: number): Table {
    let state = seed * 2654435761;
    const next = (below: number) => {
      state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
      return state % below;
    };
    const columns = 1 + next(4);
    const word = () => cellSource(Array.from({ length: next(9) }, () => SIGNS[next(SIGNS.length)]).join(''));
    const row = (length: number) => Array.from({ length }, word);
    return {
      alignments: Array.from({ length: columns }, () => (['none', 'left', 'center', 'right'] as const)[next(4)] ?? 'none'),
      rows: [row(columns), ...Array.from({ length: next(5) }, () => row(next(columns + 2)))],
    };
  }
});
