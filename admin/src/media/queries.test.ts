import { describe, expect, it, vi } from 'vitest';
import { fetchAllMedia } from './queries';

const { get } = vi.hoisted(() => ({ get: vi.fn() }));
vi.mock('~/api/client', () => ({ api: { GET: get }, call: (answer: unknown) => answer }));
vi.mock('~/base', () => ({ BASE: '', NONCE: '', withBase: (path: string) => path }));

describe('all files of a list', () => {
  it('come in as many answers as the server gives them in', async () => {
    const names = ['a.png', 'b.png', 'c.png', 'd.png', 'e.png'];
    get.mockImplementation((_path: string, { params: { query } }: { params: { query: { offset: number } } }) => ({
      data: names.slice(query.offset, query.offset + 2).map((filename) => ({ filename })),
      meta: { total: names.length },
    }));
    const found = await fetchAllMedia({ category: 'Photos' });
    expect(found.map((it) => it.filename)).toEqual(names);
    expect(get).toHaveBeenCalledTimes(3);
    expect(get.mock.calls[2]?.[1].params.query).toMatchObject({ category: 'Photos', offset: 4 });
  });
});
