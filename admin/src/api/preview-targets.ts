/** The addresses of preview targets. */

/** The values for the names in braces of an address. */
export interface AddressParts {
  slug: string;
  id: string;
  type: string;
  locale: string;
  token: string;
}

/** Returns the address of a target for an entry. */
export function fillAddress(template: string, parts: AddressParts): string {
  return template.replaceAll(/\{(slug|id|type|locale|token)\}/g, (_, name: keyof AddressParts) => encodeURIComponent(parts[name]));
}

/** Returns the origin of an address, to which alone messages are sent; nothing if there is none. */
export function originOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, protocol } = new URL(address);
  return protocol === 'https:' || protocol === 'http:' ? origin : undefined;
}
