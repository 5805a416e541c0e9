import type { RouterHistory } from '@tanstack/react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isLoggingOut, logOut } from './logout';

const { post } = vi.hoisted(() => ({ post: vi.fn<(path: string) => Promise<void>>() }));
vi.mock('~/api/client', () => ({ api: { POST: post }, call: (answer: unknown) => answer }));
vi.mock('~/api/events', () => ({ closeEvents: () => {} }));
vi.mock('~/base', () => ({ BASE: '/cms', PROXY: undefined, withBase: (path: string) => `/cms${path}` }));

const assign = vi.fn<(address: string) => void>();
const destroy = vi.fn<() => void>();
const ask = vi.fn<(where: { nextLocation: { pathname: string } }) => Promise<boolean>>();
const history = {
  location: { pathname: '/cms/admin/w/default', href: '/cms/admin/w/default', search: '', hash: '' },
  destroy,
  _getBlockers: () => [{ blockerFn: ask }],
} as unknown as RouterHistory;

beforeEach(() => vi.stubGlobal('location', { assign }));
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

it('leaves the session as it is for whoever stays', async () => {
  ask.mockResolvedValue(true);
  await logOut(history);
  expect(ask.mock.calls[0]?.[0].nextLocation.pathname).toBe('/cms/admin/login');
  expect(post).not.toHaveBeenCalled();
  expect(assign).not.toHaveBeenCalled();
  expect(isLoggingOut()).toBe(false);
});

it('is no logging out when the server refuses it', async () => {
  ask.mockResolvedValue(false);
  post.mockRejectedValue(new Error('away'));
  await expect(logOut(history)).rejects.toThrow('away');
  expect(destroy).not.toHaveBeenCalled();
  expect(isLoggingOut()).toBe(false);
});

it('goes to the login page without a second question', async () => {
  ask.mockResolvedValue(false);
  post.mockResolvedValue();
  await logOut(history);
  expect(destroy).toHaveBeenCalledBefore(assign);
  expect(assign).toHaveBeenCalledWith('/cms/admin/login');
  expect(isLoggingOut()).toBe(true);
});
