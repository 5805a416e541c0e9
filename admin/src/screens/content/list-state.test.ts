import { expect, it } from 'vitest';
import { parseSearch, stringifySearch } from '~/search-params';
import { asParams, isNarrowed, listSearch, readState, writeState } from './list-state';

const full =
  '?q=slow+bread&filter[status]=draft&filter[tags][in]=a,b&sort=-date,title&locale=de&limit=100&offset=200&view=mine&columns=title,date';

it('reads an address and writes the same one', () => {
  expect(stringifySearch(writeState(readState(parseSearch(full))))).toBe(full);
});

it('leaves out what is as it always is', () => {
  expect(writeState(readState({}))).toEqual({});
  expect(isNarrowed(readState({}))).toBe(false);
  expect(isNarrowed(readState({ q: 'x' }))).toBe(true);
});

it('takes no nonsense for numbers', () => {
  expect(readState({ limit: '-3', offset: 'x' })).toMatchObject({ limit: undefined, offset: 0 });
});

it('remembers neither the page nor the columns in a view', () => {
  expect(stringifySearch(listSearch(readState(parseSearch(full))))).toBe(
    '?q=slow+bread&filter[status]=draft&filter[tags][in]=a,b&sort=-date,title&locale=de',
  );
});

it('repeats parameters that have several values', () => {
  expect(asParams({ 'filter[x][in][]': ['a,b', 'c'] }).toString()).toBe(
    'filter%5Bx%5D%5Bin%5D%5B%5D=a%2Cb&filter%5Bx%5D%5Bin%5D%5B%5D=c',
  );
});
