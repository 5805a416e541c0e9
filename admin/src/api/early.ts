/** Answers that `boot.js` asked for before this script was there. */
import { BASE } from '~/base';

declare global {
  interface Window {
    /** The answers on their way, by the address of the request behind the base path. */
    rectoEarly?: Record<string, Promise<Response>> | undefined;
  }
}

/** Milliseconds after which nothing is taken any more: what a screen begins with is asked for by then. */
const TAKEN_WITHIN = 10_000;
const begun = performance.now();

/**
 * Returns the answer to a request if it was asked for already: once, since it is as old as the page.
 * Whatever the page changes, logging in included, may have made the others wrong.
 */
export function takeEarly({ method, url, headers }: Request): Promise<Response> | undefined {
  const early = typeof window === 'undefined' ? undefined : window.rectoEarly;
  if (!early) return undefined;
  if (method !== 'GET' || performance.now() - begun > TAKEN_WITHIN) {
    window.rectoEarly = undefined;
    return undefined;
  }
  const { pathname, search } = new URL(url);
  const address = pathname.slice(BASE.length) + search;
  const answer = early[address];
  if (!answer) return undefined;
  delete early[address];
  const workspace = headers.get('X-Service-Workspace');
  return workspace === null || workspace === ownWorkspace() ? answer : undefined;
}

/** The workspace that the address of the page names. */
function ownWorkspace(): string | undefined {
  return /^\/admin\/w\/([^/]+)/.exec(location.pathname.slice(BASE.length))?.[1];
}
