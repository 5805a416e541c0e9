/** What the server wrote into the page: where the product is mounted and the nonce for styles. */
function meta(name: string): string {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  // The development server leaves the placeholders as they are.
  return content.startsWith('__') ? '' : content;
}

/** The path below which everything lives, without a slash at the end: `''` or `/cms`. */
export const BASE = meta('recto-base');

/** The nonce that the content security policy allows styles with. */
export const NONCE = meta('recto-nonce');

/** A path of the server, with the base path in front. */
export function at(path: string): string {
  return `${BASE}${path}`;
}
