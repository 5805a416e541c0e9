import { afterEach, describe, expect, it, vi } from 'vitest';
import { notePosition, request } from './client';

vi.mock('~/base', () => ({ BASE: '', withBase: (path: string) => path }));

describe('requests to servers that share a database', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('name the newest commit that an answer knew of', async () => {
    vi.stubGlobal('location', { href: 'http://localhost/admin/' });
    const sent: (string | null)[] = [];
    const positions = ['7', '5', null, '9', null];
    vi.stubGlobal('fetch', (asked: Request) => {
      sent.push(asked.headers.get('Recto-After'));
      const position = positions[sent.length - 1];
      return Promise.resolve(new Response('{}', { headers: position ? { 'Recto-Position': position } : {} }));
    });
    for (const _ of positions) await request('/admin/api/me');
    notePosition('8');
    await request('/admin/api/me');
    expect(sent).toEqual([null, '7', '7', '7', '9', '9']);
  });
});
