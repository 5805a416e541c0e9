import { describe, expect, it } from 'vitest';
import { diffText, similarityOf } from './text';

describe('the difference of two texts', () => {
  it('is told by words', () => {
    expect(diffText('The old man sat by the sea', 'The young man sat by the sea')).toEqual([
      { kind: 'same', text: 'The ' },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'young' },
      { kind: 'same', text: ' man sat by the sea' },
    ]);
  });

  it('keeps both texts whole', () => {
    const [before, after] = ['Zwölf Boxkämpfer jagen Viktor,\nquer über den Sylter Deich.', 'Zehn Boxkämpfer jagen Viktor\nüber den großen Sylter Deich!'];
    const parts = diffText(before, after);
    expect(parts.filter((it) => it.kind !== 'added').map((it) => it.text).join('')).toBe(before);
    expect(parts.filter((it) => it.kind !== 'removed').map((it) => it.text).join('')).toBe(after);
  });

  it('is a replacement when hardly a word stayed', () => {
    expect(diffText('a quiet harbour in winter', 'seven loud trains a day')).toEqual([
      { kind: 'removed', text: 'a quiet harbour in winter' },
      { kind: 'added', text: 'seven loud trains a day' },
    ]);
  });

  it('is nothing where there is nothing', () => {
    expect(diffText('', '')).toEqual([]);
    expect(diffText('', 'new')).toEqual([{ kind: 'added', text: 'new' }]);
    expect(diffText('old', '')).toEqual([{ kind: 'removed', text: 'old' }]);
    expect(similarityOf([])).toBe(1);
  });
});
