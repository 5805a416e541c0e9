import { describe, expect, it } from 'vitest';
import { countLines, diffLines, foldUnchanged, type Line } from './lines';

function shown(lines: readonly Line[]): string[] {
  const sign = { same: ' ', added: '+', removed: '-' };
  return lines.map((line) => `${line.was ?? '.'} ${line.is ?? '.'} ${sign[line.kind]}${line.parts.map((it) => it.text).join('')}`);
}

describe('the difference of two texts of many lines', () => {
  it('numbers the lines of both', () => {
    expect(shown(diffLines('# One\n\ntwo\nthree', '# One\n\ntwo and a half\nthree\nfour\n'))).toEqual([
      '1 1  # One', '2 2  ', '3 . -two', '. 3 +two and a half', '4 4  three', '. 5 +four',
    ]);
  });

  it('marks the words of lines that stand opposite each other', () => {
    const [removed, added] = diffLines('a line with an old word', 'a line with a new word');
    expect(removed?.parts.filter((it) => it.kind === 'removed').map((it) => it.text)).toEqual(['an', 'old']);
    expect(added?.parts.filter((it) => it.kind === 'added').map((it) => it.text)).toEqual(['a', 'new']);
  });

  it('does not mind how lines end', () => {
    expect(diffLines('a\r\nb', 'a\nb\n').every((it) => it.kind === 'same')).toBe(true);
    expect(diffLines('', '')).toEqual([]);
  });

  it('counts what came and went', () => {
    expect(countLines(diffLines('a\nb\nc', 'a\nc\nd\ne'))).toEqual({ added: 2, removed: 1 });
  });
});

describe('folding', () => {
  const text = Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n');

  it('leaves some lines around what changed', () => {
    const folded = foldUnchanged(diffLines(text, text.replace('line 15', 'changed')));
    expect(folded.map((it) => (it.kind === 'gap' ? `${it.lines.length} more` : it.kind))).toEqual([
      '12 more', 'same', 'same', 'same', 'removed', 'added', 'same', 'same', 'same', '11 more',
    ]);
  });

  it('folds nothing that is as short as the note about it', () => {
    const lines = diffLines('a\nb\nc\nd\ne', 'A\nb\nc\nd\ne');
    expect(foldUnchanged(lines)).toHaveLength(lines.length);
  });

  it('folds all of what did not change at all', () => {
    expect(foldUnchanged(diffLines(text, text)).map((it) => it.kind)).toEqual(['gap']);
  });
});
