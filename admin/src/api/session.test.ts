import { afterEach, expect, it, vi } from 'vitest';
import { onSessionEnded, setCsrf } from './client';
import type { Me } from './schema';
import { refuseOther } from './session';

vi.mock('~/base', () => ({ BASE: '', NONCE: '', PROXY: undefined, withBase: (path: string) => path }));

afterEach(() => setCsrf('', ''));

it('is that of the user of the page, also when somebody else logs in in another tab', () => {
  const [anna, otto] = ['anna', 'otto'].map((id) => ({ id })) as [Me, Me];
  const ended = vi.fn();
  const stop = onSessionEnded(ended);
  expect(refuseOther(otto)).toBe(otto);
  setCsrf('a', 'anna');
  expect(refuseOther(anna)).toBe(anna);
  expect(ended).not.toHaveBeenCalled();
  expect(() => refuseOther(otto)).toThrow(expect.objectContaining({ status: 401, code: 'unauthenticated' }));
  expect(ended).toHaveBeenCalledOnce();
  stop();
});
