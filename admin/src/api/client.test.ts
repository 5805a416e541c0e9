import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { notePosition, onSessionEnded, request, setCsrf } from './client';

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

describe('a change from a page whose session another login has replaced', () => {
  const asked: string[] = [];
  const serve = (me: Response) => {
    vi.stubGlobal('fetch', async (it: Request | string) => {
      if (typeof it === 'string') return me;
      asked.push(`${it.headers.get('X-CSRF-Token')} ${await it.text()}`);
      if (it.headers.get('X-CSRF-Token') === 'new') return Response.json({ data: 1 });
      return Response.json({ error: { code: 'csrf_mismatch', message: 'No.' } }, { status: 419 });
    });
  };
  const change = () => request('/admin/api/content/posts', { method: 'POST', json: { title: 'A' } });

  beforeEach(() => {
    vi.stubGlobal('location', { href: 'http://localhost/admin/' });
    asked.length = 0;
    setCsrf('old', 'anna');
  });
  afterEach(() => {
    setCsrf('', '');
    vi.unstubAllGlobals();
  });

  it('is sent once more for the same user', async () => {
    serve(Response.json({ data: { id: 'anna', csrf_token: 'new' } }));
    expect(await change()).toEqual({ data: 1 });
    expect(asked).toEqual(['old {"title":"A"}', 'new {"title":"A"}']);
  });

  it('has all bytes of a picture, also when it is sent once more', async () => {
    const picture = new Uint8Array([0x89, 0x50, 0xff, 0x00, 0xc3, 0x28, 0x0a]);
    const sent: Uint8Array[] = [];
    vi.stubGlobal('fetch', async (it: Request | string) => {
      if (typeof it === 'string') return Response.json({ data: { id: 'anna', csrf_token: 'new' } });
      const file = (await it.formData()).get('picture') as File;
      sent.push(new Uint8Array(await file.arrayBuffer()));
      return Response.json({ data: 1 }, { status: it.headers.get('X-CSRF-Token') === 'new' ? 200 : 419 });
    });
    const body = new FormData();
    body.append('picture', new File([picture], 'me.png', { type: 'image/png' }));
    await request('/admin/api/me/avatar', { method: 'POST', body });
    expect(sent).toEqual([picture, picture]);
  });

  it.each([
    ['another user', { data: { id: 'otto', csrf_token: 'new' } }, 200],
    ['nobody', { error: { code: 'unauthenticated', message: 'Log in first.' } }, 401],
  ])('waits for its user while the session is that of %s', async (_, me, status) => {
    serve(Response.json(me, { status }));
    const ended = vi.fn();
    const stop = onSessionEnded(ended);
    await expect(change()).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(ended).toHaveBeenCalledOnce();
    expect(asked).toHaveLength(1);
    stop();
  });
});
