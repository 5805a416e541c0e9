import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from './search-params';

describe('search parameters', () => {
  it.each([
    ['', {}],
    ['?sort=-title&filter[status]=draft', { sort: '-title', 'filter[status]': 'draft' }],
    ['?filter[tags][in][]=a&filter[tags][in][]=b', { 'filter[tags][in][]': ['a', 'b'] }],
    ['?q=a+%26+b', { q: 'a & b' }],
  ])('read and write %s', (text, search) => {
    expect(parseSearch(text)).toEqual(search);
    expect(stringifySearch(search)).toBe(text);
  });

  it('leave out what is empty', () => {
    expect(stringifySearch({ q: '', sort: undefined, page: 2 })).toBe('?page=2');
  });
});
