import { expect, it } from 'vitest';
import { mergeRows, takeRows } from './live-rows';

const row = (id: string, etag = '1') => ({ id, etag });
const ids = (rows: readonly { id: string }[]) => rows.map((it) => it.id).join('');

it('brings rows up to date where they are', () => {
  const now = mergeRows([row('a'), row('b'), row('c')], [row('c'), row('b', '2'), row('a')]);
  expect(now).toMatchObject({ changed: ['b'], fresh: 0, moved: true });
  expect(ids(now.rows)).toBe('abc');
  expect(now.rows[1]?.etag).toBe('2');
});

it('counts what came in and keeps what fell out', () => {
  const now = mergeRows([row('a'), row('b')], [row('n'), row('a')]);
  expect(now).toMatchObject({ changed: [], fresh: 1, moved: true });
  expect(ids(now.rows)).toBe('ab');
});

it('says nothing when nothing changed', () => {
  const rows = [row('a'), row('b')];
  expect(mergeRows(rows, rows.map((it) => ({ ...it })))).toMatchObject({ changed: [], fresh: 0, moved: false });
  expect(takeRows(rows)).toEqual({ rows, changed: [], fresh: 0, moved: false });
});
