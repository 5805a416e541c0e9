/** Answers that `boot.js` asked for before this script was there. */
import { BASE } from '~/base';

declare global {
  interface Window {
    /** The answers on their way, by the path of the request. */
    rectoEarly?: Record<string, Promise<Response>> | undefined;
  }
}

/**
 * Returns the answer to a request if it was asked for already: once, since it is as old as the page.
 * Whatever the page changes, logging in included, may have made the others wrong.
 */
export function takeEarly({ method, url, headers }: Request): Promise<Response> | undefined {
  const early = typeof window === 'undefined' ? undefined : window.rectoEarly;
  if (!early) return undefined;
  if (method !== 'GET') window.rectoEarly = undefined;
  const { pathname, search } = new URL(url);
  const path = pathname.slice(BASE.length);
  const answer = method === 'GET' && search === '' ? early[path] : undefined;
  if (!answer) return undefined;
  delete early[path];
  const workspace = headers.get('X-Service-Workspace');
  return workspace === null || workspace === ownWorkspace() ? answer : undefined;
}

/** The workspace that the address of the page names. */
function ownWorkspace(): string | undefined {
  const [, slug] = /^\/admin\/w\/([^/]+)/.exec(location.pathname.slice(BASE.length)) ?? [];
  return slug && decodeURIComponent(slug);
}
