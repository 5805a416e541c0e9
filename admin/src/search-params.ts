/**
 * Addresses of the interface carry their state as plain parameters, like those of the API:
 * `?sort=-title&filter[status]=draft`.
 */
export type Search = Record<string, string | string[] | undefined>;

export function parseSearch(text: string): Search {
  const search: Search = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const known = search[key];
    search[key] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value];
  }
  return search;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== '') params.append(key, String(one));
    }
  }
  // Brackets may stand in a query as they are, and read better so.
  const text = params.toString().replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',');
  return text === '' ? '' : `?${text}`;
}
