import { expect, it } from 'vitest';
import { addPage, type RecentPage } from './recent';

it('keeps the last pages, each once', () => {
  let pages: RecentPage[] = [];
  for (const name of ['a', 'b', 'a', 'c']) pages = addPage(pages, { title: name.toUpperCase(), path: `/${name}` });
  expect(pages.map((it) => it.title)).toEqual(['C', 'A', 'B']);
  for (let at = 0; at < 20; at += 1) pages = addPage(pages, { title: String(at), path: `/${at}` });
  expect(pages).toHaveLength(8);
  expect(pages[0]?.title).toBe('19');
});
