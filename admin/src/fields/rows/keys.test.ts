import { describe, expect, it } from 'vitest';
import { reconcileKeys, withKeys } from './keys';

const [a, b, c] = [{ n: 'a' }, { n: 'b' }, { n: 'c' }];
const before = () => withKeys([a, b, c], ['1', '2', '3']);

function keys(rows: readonly unknown[], from = before()): string {
  let next = 0;
  return reconcileKeys(from, rows, () => `new${(next += 1)}`).keys.join(' ');
}

describe('keys of rows', () => {
  it('stay with the rows', () => {
    expect(keys([a, b, c])).toBe('1 2 3');
    expect(keys([c, a, b])).toBe('3 1 2');
    expect(keys([a, c])).toBe('1 3');
  });

  it('stay with a row that was changed', () => {
    expect(keys([a, { n: 'B' }, c])).toBe('1 2 3');
  });

  it('are new for rows that are', () => {
    expect(keys([a, { n: 'x' }, b, c])).toBe('1 new1 2 3');
    expect(keys([a, b, c, { n: 'x' }])).toBe('1 2 3 new1');
  });

  it('survive that everything was read anew', () => {
    expect(keys(structuredClone([a, b, c]))).toBe('1 2 3');
  });

  it('follow the ids of blocks', () => {
    const blocks = () => withKeys([{ _id: 'x' }, { _id: 'y' }], ['1', '2']);
    expect(keys([{ _id: 'y' }, { _id: 'x' }], blocks())).toBe('2 1');
    expect(keys([{ _id: 'z' }, { _id: 'y' }, { _id: 'x' }], blocks())).toBe('new1 2 1');
  });

  it('come back with their rows', () => {
    const without = reconcileKeys(before(), [a, c], () => 'never');
    expect(keys([a, b, c], without)).toBe('1 2 3');
    const blocks = reconcileKeys(withKeys([{ _id: 'x' }, { _id: 'y' }], ['1', '2']), [{ _id: 'y' }], () => 'never');
    expect(keys([{ _id: 'x' }, { _id: 'y' }], blocks)).toBe('1 2');
  });

  it('are there for what is no row at all', () => {
    expect(keys(['text', null, a])).toBe('new1 2 1');
    expect(new Set(keys(['x', 'x', 'x', 'x']).split(' ')).size).toBe(4);
  });

  it('are the same answer for the same rows', () => {
    const same = before();
    expect(reconcileKeys(same, same.rows, () => 'never')).toBe(same);
  });
});
