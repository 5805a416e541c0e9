/** Reads a value that the server wrote into the page: the base path, or the nonce for styles. */
function meta(name: string): string {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  // The development server leaves the placeholders as they are. A nonce may begin with `__`, too.
  return /^__RECTO_[A-Z]+__$/.test(content) ? '' : content;
}

/** The path below which everything lives, without a slash at the end: `''` or `/cms`. */
export const BASE = meta('recto-base');

/** The nonce that the content security policy allows styles with. */
export const NONCE = meta('recto-nonce');

/** The facts of a login by a proxy, which names the user; nothing where people log in themselves. */
export const PROXY = document.querySelector('meta[name="recto-proxy"]') ? { logoutUrl: meta('recto-proxy') } : undefined;

/** A path of the server, with the base path in front. Addresses that the server gave have it already. */
export function withBase(path: string): string {
  return `${BASE}${path}`;
}

/** Checks whether an address is a path of this site. */
export function isPath(address: string): boolean {
  // Browsers read a backslash as a slash, too.
  return /^\/(?![/\\])/.test(address);
}

/** The path of an address that the server gave, without host and base path: as texts should have it. */
export function withoutBase(address: string): string {
  const path = address.replace(/^https?:\/\/[^/]+/, '');
  return path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path;
}
