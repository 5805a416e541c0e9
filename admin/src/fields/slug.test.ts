import { expect, it } from 'vitest';
import { slugify } from './slug';

it.each([
  ['', ''],
  ['Hello World', 'hello-world'],
  ['  --Hello,   World!-- ', 'hello-world'],
  ["don't snake_case 3.14", 'don-t-snake-case-3-14'],
  ['Über', 'uber'],
  ['U\u0308ber', 'uber'],
  ['Straße der Größe', 'strasse-der-grosse'],
  ['Привет', ''],
  ['a'.repeat(120), 'a'.repeat(100)],
])('makes a slug of %j', (text, slug) => {
  expect(slugify(text)).toBe(slug);
});
