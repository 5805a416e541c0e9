/** The place to return to after logging in. */

const ORIGIN = 'http://here.invalid';

/**
 * The address within the interface that a `to` parameter asks for, else the start. Links from
 * elsewhere can carry one, so nothing that could lead to another site is followed.
 */
export function safeDestination(to: unknown): string {
  if (typeof to !== 'string' || !/^\/(?![/\\])/.test(to)) return '/';
  let url: URL;
  try {
    url = new URL(to, ORIGIN);
  } catch {
    return '/';
  }
  if (url.origin !== ORIGIN || url.pathname.startsWith('//')) return '/';
  // These would only lead here again.
  if (/^\/(login|setup|second-factor)(\/|$)/.test(url.pathname)) return '/';
  return url.pathname + url.search + url.hash;
}
