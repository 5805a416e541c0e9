import { expect, it } from 'vitest';
import { singularFor } from './singular';

it.each([
  ['en', 'Posts', 'post'],
  ['en', 'Blog posts', 'blog post'],
  ['en', 'API keys', 'API key'],
  ['en', 'Categories', 'category'],
  ['en', 'Movies', 'movie'],
  ['en', 'Boxes', 'box'],
  ['en', 'People', 'person'],
  ['en', 'Series', ''],
  ['en', 'Press', ''],
  ['en', 'Team', ''],
  ['en', '', ''],
  ['de', 'Beiträge', 'Beitrag'],
  ['de', 'Blogbeiträge', 'Blogbeitrag'],
  ['de', 'Artikel', 'Artikel'],
  ['de', 'Seiten', 'Seite'],
  ['de', 'Notizen', 'Notiz'],
  ['de', 'Veranstaltungen', 'Veranstaltung'],
  ['de', 'Autorinnen', 'Autorin'],
  ['de', 'Wälder', ''],
  ['xx', 'Posts', ''],
])('%s: one of “%s” is “%s”', (language, label, expected) => {
  expect(singularFor(label, language)).toBe(expected);
});
