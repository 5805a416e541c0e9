import { describe, expect, it } from 'vitest';
import type { ContentTypeShape } from '~/api/fields';
import { guessMap, guessTarget, keysOf, readColumns, targetsOf } from './columns';
import { fitsSource, tableFormat } from './kinds';

const TYPE = {
  name: 'products',
  locales: ['en', 'de'],
  fields: { price: { type: 'number', label: 'Price' }, sku: { type: 'text', unique: true } },
} as unknown as ContentTypeShape;

describe('the columns of a table', () => {
  const names = (format: 'csv' | 'json' | 'ndjson', text: string) => readColumns(format, text).map((it) => it.name);

  it('are the first row of CSV, whatever is between the values', () => {
    expect(readColumns('csv', '\uFEFFTitle;"Article; no.";Price\r\n"A ""b""";1\n2;3')).toEqual([
      { name: 'Title', sample: 'A "b"' },
      { name: 'Article; no.', sample: '1\n2;3' },
      { name: 'Price', sample: '' },
    ].map((it, at) => (at === 1 ? { ...it, sample: '1' } : it)));
    expect(names('csv', 'a\tb,c\td')).toEqual(['a', 'b,c', 'd']);
    expect(names('csv', '\n\na,b\n')).toEqual(['a', 'b']);
    expect(names('csv', 'a,"b\nc"\n1,2')).toEqual(['a', 'b\nc']);
    expect(names('csv', '')).toEqual([]);
  });

  it('are the keys of objects, and of what they have in `data`', () => {
    expect(readColumns('json', '[{"title":"A","n":null},{"n":1,"data":{"x":[1]},"translations":{}}]')).toEqual([
      { name: 'title', sample: 'A' },
      { name: 'n', sample: '1' },
      { name: 'x', sample: '[1]' },
    ]);
    expect(names('json', '{"data":[{"a":1}]}')).toEqual(['a']);
    expect(names('json', '{"a":')).toEqual([]);
    expect(names('ndjson', '{"a":1}\n\n{"b":2}\n{"c":')).toEqual(['a', 'b']);
  });

  it('find their fields by name, by label, and by language', () => {
    const guess = (column: string) => guessTarget(TYPE, column);
    expect(['Title', 'PRICE', 'Price', 'sku', 'title.de', 'price.de', 'price.fr', 'slug.de', 'other', ''].map(guess)).toEqual([
      'title', 'price', 'price', 'sku', 'title.de', 'price.de', '', '', '', '',
    ]);
    expect(['Titel', 'titre', 'Titel.de'].map(guess)).toEqual(['title', 'title', 'title.de']);
    const named = { ...TYPE, fields: { ...TYPE.fields, role: { type: 'text', label: 'Titel' } } } as ContentTypeShape;
    expect(guessTarget(named, 'Titel')).toBe('role');
    expect(guessMap(TYPE, [{ name: 'Price', sample: '' }, { name: 'x', sample: '' }])).toEqual({ Price: 'price', x: '' });
    expect(targetsOf(TYPE).map((it) => it.value).slice(0, 5)).toEqual(['title', 'slug', 'price', 'sku', 'id']);
    expect(keysOf(TYPE)).toEqual(['slug', 'id', 'sku']);
  });
});

describe('the file of a source', () => {
  it('is known by its ending', () => {
    expect([fitsSource('wordpress', 'a.XML'), fitsSource('wordpress', 'a.csv'), fitsSource('strapi', 'export.tar.gz')]).toEqual([true, false, true]);
    expect(['a.csv', 'a.JSON', 'a.jsonl', 'a.tsv'].map(tableFormat)).toEqual(['csv', 'json', 'ndjson', 'csv']);
  });
});
