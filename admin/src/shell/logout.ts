import type { RouterHistory } from '@tanstack/react-router';
import { api, call } from '~/api/client';
import { closeEvents } from '~/api/events';
import { BASE, PROXY, withBase } from '~/base';

let leaving = false;

/** Checks whether the session is being ended on purpose, so that nobody has to be asked to log in again. */
export function isLoggingOut(): boolean {
  return leaving;
}

/**
 * Ends the session and shows the login page, unless somebody stays for what is unsaved. Nothing of what was
 * read stays in memory.
 */
export async function logOut(history: RouterHistory): Promise<void> {
  if (!(await mayLeave(history))) return;
  leaving = true;
  try {
    closeEvents();
    await call(api.POST('/admin/api/logout'));
    // That was the question; the browser has none of its own.
    history.destroy();
    location.assign(PROXY?.logoutUrl || withBase('/admin/login'));
  } catch (error) {
    leaving = false;
    throw error;
  }
}

/** Asks what a way to the login page within the interface would ask. */
async function mayLeave(history: RouterHistory): Promise<boolean> {
  const { location: currentLocation } = history;
  const pathname = `${BASE}/admin/login`;
  const nextLocation = { ...currentLocation, pathname, href: pathname, search: '', hash: '' };
  // The router itself has no other way to ask.
  // oxlint-disable-next-line no-underscore-dangle
  for (const { blockerFn } of history._getBlockers()) {
    if (await blockerFn({ currentLocation, nextLocation, action: 'PUSH' })) return false;
  }
  return true;
}
