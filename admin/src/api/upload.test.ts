import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setCsrf } from './client';
import { sendForm } from './upload';

vi.mock('~/base', () => ({ BASE: '', NONCE: '', PROXY: undefined, withBase: (path: string) => path }));

const sent: string[] = [];

/** Answers 419 unless the request has the token of the new session. */
class FakeRequest extends EventTarget {
  upload = new EventTarget();
  responseText = '{"data":1}';
  status = 0;
  private csrf = '';
  open() {}
  abort() {}
  getResponseHeader() {
    return null;
  }
  setRequestHeader(name: string, value: string) {
    if (name === 'X-CSRF-Token') this.csrf = value;
  }
  send() {
    sent.push(this.csrf);
    this.status = this.csrf === 'new' ? 200 : 419;
    queueMicrotask(() => this.dispatchEvent(new Event('load')));
  }
}

const upload = (signal: AbortSignal) => sendForm('/admin/api/media', new FormData(), { onProgress: () => {}, signal });

beforeEach(() => {
  sent.length = 0;
  setCsrf('old', 'anna');
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  setCsrf('', '');
  vi.unstubAllGlobals();
});

it('is sent once more with the session that replaced that of the page', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ data: { id: 'anna', csrf_token: 'new' } }));
  expect(await upload(new AbortController().signal)).toEqual({ data: 1 });
  expect(sent).toEqual(['old', 'new']);
});

it('is not sent once more when it was cancelled meanwhile', async () => {
  const cancel = new AbortController();
  vi.stubGlobal('fetch', async () => {
    cancel.abort();
    return Response.json({ data: { id: 'anna', csrf_token: 'new' } });
  });
  await expect(upload(cancel.signal)).rejects.toMatchObject({ name: 'AbortError' });
  expect(sent).toEqual(['old']);
});

it('says that the server is not there when it goes away', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await expect(upload(new AbortController().signal)).rejects.toMatchObject({ status: 0, code: 'offline' });
});
