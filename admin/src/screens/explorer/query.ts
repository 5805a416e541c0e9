/** The query string of a read, taken apart so that a form can show it, and put together again. */
import { OPERATORS, type Operator } from '~/api/operators';

export interface Filter {
  field: string;
  operator: Operator;
  value: string;
}

/** The parameters that are one text each. */
const SINGLE = [
  'q', 'limit', 'offset', 'sort', 'order', 'include', 'fields', 'locale', 'media', 'render', 'counts', 'category',
  'w', 'h', 'fit', 'format', 'preset', 'types', 'since', 'wait', 'part',
] as const;
export type Single = (typeof SINGLE)[number];

export interface ReadQuery {
  single: Partial<Record<Single, string>>;
  filters: Filter[];
  /** The parameters that no form shows, kept as they were given. */
  rest: [string, string][];
}

export function parseQuery(text: string): ReadQuery {
  const query: ReadQuery = { single: {}, filters: [], rest: [] };
  for (const [key, value] of new URLSearchParams(text)) {
    const filter = /^filter\[([^\]]+)\](?:\[(\w+)\])?$/.exec(key);
    const operator = OPERATORS.find((it) => it === (filter?.[2] ?? 'eq'));
    const single = SINGLE.find((it) => it === key);
    if (filter?.[1] && operator) query.filters.push({ field: filter[1], operator, value });
    else if (single) query.single[single] = value;
    else query.rest.push([key, value]);
  }
  return query;
}

/** Returns the query for the address of the page: with the filters that have no value yet. */
export function editedQueryText(query: ReadQuery): string {
  return text(query, query.filters);
}

/** Returns the query for the request. */
export function queryText(query: ReadQuery): string {
  return text(query, query.filters.filter((it) => it.value !== ''));
}

function text(query: ReadQuery, filters: readonly Filter[]): string {
  const params = new URLSearchParams();
  for (const key of SINGLE) {
    const value = query.single[key];
    if (value) params.append(key, value);
  }
  for (const { field, operator, value } of filters) {
    params.append(operator === 'eq' ? `filter[${field}]` : `filter[${field}][${operator}]`, value);
  }
  for (const [key, value] of query.rest) params.append(key, value);
  // Brackets and commas may stand in a query as they are, and read better so.
  return params.toString().replaceAll('%5B', '[').replaceAll('%5D', ']').replaceAll('%2C', ',');
}
