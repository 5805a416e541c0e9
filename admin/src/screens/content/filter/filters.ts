/**
 * Filters of a list: what they are, and how they stand in an address. The address of the interface
 * and the query of the API say them in the same way (docs/API.md "Filters").
 */
import { OPERATORS, type Operator, takesMany } from '~/api/operators';
import type { Search } from '~/search-params';

export interface Filter {
  /** The entry's own key or the name of a field, with dots into objects. */
  field: string;
  operator: Operator;
  /** A list for `in` and `nin`, else one text, as it stands in the address. */
  value: string | readonly string[];
}

const KEY = /^filter\[([^[\]]+)\](?:\[([a-z]+)\](\[\])?)?$/;

/** The filters of an address. Those that make no sense stay out; the server would refuse them. */
export function parseFilters(search: Search): Filter[] {
  const filters: Filter[] = [];
  for (const [key, given] of Object.entries(search)) {
    const match = KEY.exec(key);
    if (!match || given === undefined) continue;
    const [, field = '', word = 'eq', repeated] = match;
    const operator = OPERATORS.find((it) => it === word);
    if (!operator) continue;
    const values = Array.isArray(given) ? given : [given];
    if (repeated) {
      if (takesMany(operator)) filters.push({ field, operator, value: values });
    } else {
      for (const value of values) filters.push({ field, operator, value: takesMany(operator) ? value.split(',') : value });
    }
  }
  return filters;
}

/** The filters as parameters: `filter[field]=value`, `filter[field][operator]=value`. */
export function filterSearch(filters: readonly Filter[]): Search {
  const search: Search = {};
  const put = (key: string, value: string | string[]) => {
    const known = search[key];
    search[key] = known === undefined ? value : [known, value].flat();
  };
  for (const { field, operator, value } of filters) {
    const key = operator === 'eq' ? `filter[${field}]` : `filter[${field}][${operator}]`;
    if (typeof value === 'string') put(key, value);
    // A comma within a value would make two of it.
    else if (value.some((it) => it.includes(','))) put(`${key}[]`, [...value]);
    else put(key, value.join(','));
  }
  return search;
}

/** Checks whether a filter says something: an empty value is one that is not written yet. */
export function isComplete({ operator, value }: Filter): boolean {
  if (typeof value === 'string') return value !== '' && !takesMany(operator);
  return value.length > 0 && value.every((it) => it !== '');
}

/** The status that the list is narrowed to, when it is one. */
export function statusOf(filters: readonly Filter[]): string | undefined {
  const about = filters.filter((it) => it.field === 'status');
  const [only] = about;
  return about.length === 1 && only?.operator === 'eq' && typeof only.value === 'string' ? only.value : undefined;
}
