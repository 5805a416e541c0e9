import { expect, it } from 'vitest';
import { partsOf } from './focus';

it.each([
  ['title', ['title']],
  ['links[2].url', ['links[2].url', 'links[2]', 'links']],
  ['locales.de.seo.title', ['locales.de.seo.title', 'locales.de.seo', 'locales.de', 'locales']],
])('knows what %s lies in', (path, parts) => {
  expect(partsOf(path)).toEqual(parts);
});
