/** Answers that `boot.js` asked for before this script was there. */

declare global {
  interface Window {
    /** The answers on their way, by the path of the request. */
    rectoEarly?: Record<string, Promise<Response>>;
  }
}

/** Returns the answer to a request if it was asked for already: once, since it is as old as the page. */
export function takeEarly({ method, url, headers }: Request, base: string): Promise<Response> | undefined {
  const { pathname, search } = new URL(url);
  const early = typeof window === 'undefined' ? undefined : window.rectoEarly;
  const path = pathname.slice(base.length);
  const answer = search === '' && method === 'GET' ? early?.[path] : undefined;
  if (!early || !answer) return undefined;
  delete early[path];
  const asked = headers.get('X-Service-Workspace');
  return asked === null || asked === workspaceOf(location.pathname.slice(base.length)) ? answer : undefined;
}

function workspaceOf(path: string): string | undefined {
  const [, slug] = /^\/admin\/w\/([^/]+)/.exec(path) ?? [];
  return slug && decodeURIComponent(slug);
}
