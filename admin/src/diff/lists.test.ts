import { describe, expect, it } from 'vitest';
import { diffList, type ListChange } from './lists';
import { blockId } from './values';

const SIGNS = { same: '=', moved: '~', changed: '*', added: '+', removed: '-' };

function shown(changes: readonly ListChange[]): string[] {
  return changes.map((it) => SIGNS[it.kind] + JSON.stringify('after' in it ? it.after : it.before));
}

describe('the difference of two lists', () => {
  it('tells what came and what went', () => {
    expect(shown(diffList(['a', 'b', 'c'], ['a', 'c', 'd']))).toEqual(['="a"', '-"b"', '="c"', '+"d"']);
  });

  it('tells what moved', () => {
    expect(diffList(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual([
      { kind: 'moved', before: 'c', after: 'c', was: 2, is: 0 },
      { kind: 'same', before: 'a', after: 'a', was: 0, is: 1 },
      { kind: 'same', before: 'b', after: 'b', was: 1, is: 2 },
    ]);
  });

  it('takes what stands opposite for changed', () => {
    const before = [{ q: 'one', a: '1' }, { q: 'two', a: '2' }, { q: 'three', a: '3' }];
    const after = [{ q: 'one', a: '1' }, { q: 'two', a: '22' }, { q: 'three', a: '3' }];
    expect(diffList(before, after).map((it) => it.kind)).toEqual(['same', 'changed', 'same']);
  });

  it('knows blocks by their ids', () => {
    const before = [{ _id: 'x', text: 'one' }, { _id: 'y', text: 'two' }, { _id: 'z', text: 'three' }];
    const after = [{ _id: 'z', text: 'three' }, { _id: 'x', text: 'ONE' }, { _id: 'n', text: 'new' }];
    const changes = diffList(before, after, blockId);
    expect(changes.map((it) => it.kind).toSorted()).toEqual(['added', 'changed', 'removed', 'same']);
    expect(changes.find((it) => it.kind === 'changed')).toMatchObject({ was: 0, is: 1, moved: true });
  });

  it('copes with the same item twice', () => {
    expect(shown(diffList(['a', 'a'], ['a']))).toEqual(['="a"', '-"a"']);
    expect(shown(diffList([], ['a', 'a']))).toEqual(['+"a"', '+"a"']);
  });

  it('loses nothing', () => {
    const before = [1, 2, 3, 4, 5, 6, 7];
    const after = [7, 3, 9, 1, 2, 8, 5];
    const changes = diffList(before, after, String);
    const of = (side: 'before' | 'after') => changes.flatMap((it) => (side in it ? [(it as { before: unknown; after: unknown })[side]] : []));
    expect(of('after')).toEqual(after);
    expect(of('before').toSorted()).toEqual(before);
  });
});
