import { expect, test } from 'vitest';
import type { Shape } from '../form/form';
import { fillAddress, inputPath, originOf, parsePart } from './address';

const parts = { slug: 'über/uns?', id: '1a', type: 'posts', locale: 'de', token: 'a.b.c' };

test('an address is filled in, and nothing in it can leave its place', () => {
  const check = (template: string, expected: string) => expect(fillAddress(template, parts)).toBe(expected);
  check('https://x.org/{locale}/{type}/{slug}?recto={token}#{id}', 'https://x.org/de/posts/%C3%BCber%2Funs%3F?recto=a.b.c#1a');
  check('https://x.org/{slug}/{slug}', 'https://x.org/%C3%BCber%2Funs%3F/%C3%BCber%2Funs%3F');
  check('https://x.org/{other}', 'https://x.org/{other}');
});

test('messages go to an origin of the web only', () => {
  expect(originOf('https://x.org:443/a')).toBe('https://x.org');
  expect(originOf('http://localhost:3000/a')).toBe('http://localhost:3000');
  for (const wrong of ['javascript:alert(1)', 'data:text/html,x', '/here', '']) expect(originOf(wrong)).toBeUndefined();
});

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
