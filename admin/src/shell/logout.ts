import { api, call } from '~/api/client';
import { closeEvents } from '~/api/events';
import { PROXY, withBase } from '~/base';

let leaving = false;

/** Checks whether the session is being ended on purpose, so that nobody has to be asked to log in again. */
export function isLoggingOut(): boolean {
  return leaving;
}

/** Ends the session and shows the login page. Nothing of what was read stays in memory. */
export async function logOut(): Promise<void> {
  leaving = true;
  try {
    closeEvents();
    await call(api.POST('/admin/api/logout'));
    location.assign(PROXY?.logoutUrl || withBase('/admin/login'));
  } catch (error) {
    leaving = false;
    throw error;
  }
}
