import { expect, it } from 'vitest';
import { collectPages } from './pages';

const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'];

it('collects all that a list finds in as many answers as the server gives them in', async () => {
  const asked: number[] = [];
  const found = await collectPages(async (offset) => {
    asked.push(offset);
    return { data: names.slice(offset, offset + 2), meta: { total: names.length } };
  });
  expect([found, asked]).toEqual([names, [0, 2, 4]]);
});

it('ends where a list became shorter meanwhile', async () => {
  const found = await collectPages(async (offset) => ({
    data: offset === 0 ? names : [],
    meta: { total: names.length + 1 },
  }));
  expect(found).toEqual(names);
});
