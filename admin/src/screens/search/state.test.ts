import { expect, it } from 'vitest';
import { isSifted, readSearch, writeSearch } from './state';

const NOTHING = { q: '', kind: undefined, types: [], status: [], locale: '' };

it('is in the address', () => {
  expect(readSearch({})).toEqual(NOTHING);
  const state = { q: 'bread', kind: 'entries', types: ['posts', 'pages'], status: ['draft'], locale: 'de' } as const;
  expect(writeSearch(state)).toEqual({ q: 'bread', kind: 'entries', types: 'posts,pages', status: 'draft', locale: 'de' });
  expect(readSearch(writeSearch(state))).toEqual(state);
  expect(readSearch({ q: ['a', 'b'], kind: 'users', status: 'gone,draft', types: ',' })).toEqual({ ...NOTHING, q: 'b', status: ['draft'] });
});

it('shows entries where types or statuses are chosen', () => {
  expect(writeSearch({ ...NOTHING, kind: 'media', types: ['posts'] }).kind).toBe('entries');
  expect(writeSearch({ ...NOTHING, kind: 'media' }).kind).toBe('media');
  expect(isSifted(NOTHING)).toBe(false);
  expect(isSifted({ ...NOTHING, locale: 'de' })).toBe(true);
});
