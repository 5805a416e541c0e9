import { beforeEach, describe, expect, it, vi } from 'vitest';

// The module reads the page's base path when it is loaded; tests have no page.
vi.mock('~/base', () => ({ BASE: '', NONCE: '', withBase: (path: string) => path }));
const { createBatchLoader } = await import('./briefs');

const brief = (id: string) => ({ id, title: id.toUpperCase(), slug: id, status: 'draft' as const });

describe('the loader of titles', () => {
  beforeEach(() => {
    vi.useRealTimers();
  });

  it('asks for ids of one type together, and for each once', async () => {
    const fetch = vi.fn(async (_: string, ids: readonly string[]) => ids.map(brief));
    const load = createBatchLoader(fetch, 0);
    const titles = await Promise.all([load('posts', 'a'), load('posts', 'b'), load('posts', 'a'), load('topics', 'c')]);
    expect(titles.map((it) => it?.title)).toEqual(['A', 'B', 'A', 'C']);
    expect(fetch.mock.calls).toEqual([
      ['posts', ['a', 'b']],
      ['topics', ['c']],
    ]);
  });

  it('gives nothing for what is not there', async () => {
    const load = createBatchLoader(async () => [brief('a')], 0);
    expect(await Promise.all([load('posts', 'a'), load('posts', 'b')])).toEqual([brief('a'), null]);
  });

  it('asks for many in several requests', async () => {
    const sizes: number[] = [];
    const load = createBatchLoader(async (_, ids) => {
      sizes.push(ids.length);
      return ids.map(brief);
    }, 0);
    await Promise.all(Array.from({ length: 120 }, (_, index) => load('posts', `id${index}`)));
    expect(sizes).toEqual([50, 50, 20]);
  });

  it('tells everybody who waits of a failure, and tries anew', async () => {
    let broken = true;
    const load = createBatchLoader(async (_, ids) => {
      if (broken) throw new Error('down');
      return ids.map(brief);
    }, 0);
    expect((await Promise.allSettled([load('posts', 'a'), load('posts', 'b')])).map((it) => it.status)).toEqual(['rejected', 'rejected']);
    broken = false;
    expect((await load('posts', 'a'))?.title).toBe('A');
  });
});
