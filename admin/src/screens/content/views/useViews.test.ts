import { afterEach, expect, it, vi } from 'vitest';
import type { SavedView } from '~/api/schema';
import { changeViews } from './useViews';
import { withView } from './views';

vi.mock('~/base', () => ({ BASE: 'http://localhost', withBase: (path: string) => path }));

const view = (id: string): SavedView => ({ id, name: id.toUpperCase(), query: '', columns: [] });

/** A server that keeps views, and takes changes of those that it has. */
function serve(own: SavedView[]) {
  const server = { own, shared: [] as SavedView[], version: 1, refused: 0 };
  vi.stubGlobal('fetch', async (asked: Request) => {
    if (asked.method === 'PUT') {
      if (asked.headers.get('If-Match') !== `"${server.version}"`) {
        server.refused += 1;
        return Response.json({ error: { code: 'precondition_failed', message: 'Changed.' } }, { status: 412 });
      }
      Object.assign(server, await asked.json(), { version: server.version + 1 });
    }
    const data = { own: server.own, shared: server.shared };
    return Response.json({ data }, { headers: { ETag: `"${server.version}"` } });
  });
  return server;
}

afterEach(() => vi.unstubAllGlobals());

it('keeps what another tab has saved in the meantime', async () => {
  const server = serve([view('a')]);
  await changeViews('main', 'posts', 'own', (views) => withView(views, view('b')));
  // Another tab deletes one and saves another.
  server.own = [view('b'), view('c')];
  server.version += 1;
  const saved = await changeViews('main', 'posts', 'own', (views) => withView(views, view('d')));
  expect(saved.own.map((it) => it.id)).toEqual(['b', 'c', 'd']);
  expect(server.refused).toBe(1);
});

it('gives up when it is never what was read', async () => {
  vi.stubGlobal('fetch', (asked: Request) =>
    Promise.resolve(
      asked.method === 'PUT'
        ? Response.json({ error: { code: 'precondition_failed', message: 'Changed.' } }, { status: 412 })
        : Response.json({ data: { own: [], shared: [] } }),
    ),
  );
  await expect(changeViews('main', 'notes', 'own', (views) => withView(views, view('a')))).rejects.toThrow('Changed.');
});
