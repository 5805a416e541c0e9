import { expect, test } from 'vitest';
import type { Shape } from '../form/form';
import { inputPath, parsePart } from './parts';

test('a part of an entry is named by type, entry and path', () => {
  expect(parsePart('posts/1a#data.body')).toEqual({ type: 'posts', entry: '1a', path: 'data.body' });
  expect(parsePart('posts/über-uns#rows[2].url')).toEqual({ type: 'posts', entry: 'über-uns', path: 'rows[2].url' });
  for (const wrong of [undefined, 7, '', 'posts', 'posts/1a', 'posts/1a#', '../x#a', 'posts/1a/2b#c', 'posts/a#b c']) {
    expect(parsePart(wrong)).toBeUndefined();
  }
});

test('a part has its input in the language that is edited', () => {
  const shape = {
    name: 'posts', locales: ['en', 'de'], root_locale: 'en', default_locale: 'en', slug_source: 'title', singleton: false,
    fields: { title: { type: 'text' }, slug: { type: 'slug' }, body: { type: 'text' }, date: { type: 'date', localized: false } },
  } as unknown as Shape;
  const check = (path: string, locale: string, expected: string | undefined) => expect(inputPath(shape, path, locale)).toBe(expected);
  check('title', 'en', 'title');
  check('title', 'de', 'translations.de.title');
  check('data.body', 'de', 'translations.de.data.body');
  check('body[2].x', 'en', 'body[2].x');
  check('date', 'de', 'date');
  check('translations.de.data.body', 'en', 'translations.de.data.body');
  check('password', 'en', undefined);
});
