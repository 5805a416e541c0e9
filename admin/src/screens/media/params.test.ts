import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '~/search-params';
import { isFiltered, readParams, writeFilter } from './params';

test('an address is read, and what it cannot mean is left out', () => {
  const params = readParams(parseSearch('?category=Photos / Travel&type=image&visibility=secret&view=list&file=a.jpg&sort=name'));
  expect(params).toEqual({
    filter: { category: 'Photos / Travel', type: 'image', sort: 'name' },
    view: 'list',
    file: 'a.jpg',
  });
});

test('a filter survives the way through an address', () => {
  const filter = { q: 'loaf', category: '', type: 'image', visibility: 'private', unused: true, missingAlt: true, sort: '-size' } as const;
  expect(readParams(parseSearch(stringifySearch(writeFilter(filter)))).filter).toEqual(filter);
  expect(writeFilter({ sort: '-uploaded_at' }).sort).toBeUndefined();
});

test('a category alone is a place, not a filter', () => {
  expect(isFiltered({ category: 'Photos', sort: 'name' })).toBe(false);
  expect(isFiltered({ unused: true })).toBe(true);
});
