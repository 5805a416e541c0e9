import { expect, it } from 'vitest';
import { enclosingPaths } from './focus';

it.each([
  ['title', ['title']],
  ['links[2].url', ['links[2].url', 'links[2]', 'links']],
  ['locales.de.seo.title', ['locales.de.seo.title', 'locales.de.seo', 'locales.de', 'locales']],
])('knows what %s lies in', (path, parts) => {
  expect(enclosingPaths(path)).toEqual(parts);
});
