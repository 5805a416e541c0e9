import { describe, expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '~/search-params';
import { type Filter, filterSearch, isComplete, parseFilters, statusOf } from './filters';

const through = (filters: readonly Filter[]) => parseFilters(parseSearch(stringifySearch(filterSearch(filters))));

describe('filters in an address', () => {
  it.each<Filter>([
    { field: 'title', operator: 'contains', value: 'a & b = c? #1' },
    { field: 'status', operator: 'eq', value: 'draft' },
    { field: 'status', operator: 'nin', value: ['draft', 'archived'] },
    { field: 'seo.title', operator: 'empty', value: 'true' },
    { field: 'tags', operator: 'in', value: ['a, b', 'c'] },
    { field: 'tags', operator: 'in', value: ['only, one'] },
    { field: 'date', operator: 'gte', value: '2026-05-03' },
    { field: 'title', operator: 'eq', value: 'Käse, [frisch] + 100 %' },
  ])('says $field $operator and reads it back', (filter) => {
    expect(through([filter])).toEqual([filter]);
  });

  it('keeps several about one field, also with one operator', () => {
    const filters: Filter[] = [
      { field: 'date', operator: 'gte', value: '2026-01-01' },
      { field: 'date', operator: 'lt', value: '2027-01-01' },
      { field: 'body', operator: 'contains', value: 'bread' },
      { field: 'body', operator: 'contains', value: 'salt' },
    ];
    expect(through(filters)).toEqual(filters);
  });

  it('takes the long form of equal', () => {
    expect(parseFilters({ 'filter[status][eq]': 'draft' })).toEqual([{ field: 'status', operator: 'eq', value: 'draft' }]);
  });

  it('passes over what is no filter', () => {
    expect(parseFilters({ q: 'x', 'filter[a][like]': '1', 'filter[]': '1', 'filter[a][gt][]': '1' })).toEqual([]);
  });

  it('is written as the API takes it', () => {
    expect(stringifySearch(filterSearch([{ field: 'status', operator: 'in', value: ['draft', 'archived'] }]))).toBe(
      '?filter[status][in]=draft,archived',
    );
  });
});

it('knows what is not written yet', () => {
  expect(isComplete({ field: 'a', operator: 'eq', value: '' })).toBe(false);
  expect(isComplete({ field: 'a', operator: 'in', value: [] })).toBe(false);
  expect(isComplete({ field: 'a', operator: 'in', value: ['x'] })).toBe(true);
});

it('finds the one status of a list', () => {
  const draft: Filter = { field: 'status', operator: 'eq', value: 'draft' };
  expect(statusOf([draft])).toBe('draft');
  expect(statusOf([draft, { ...draft, operator: 'ne' }])).toBeUndefined();
  expect(statusOf([{ ...draft, operator: 'in', value: ['draft'] }])).toBeUndefined();
});
