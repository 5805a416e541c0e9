import { describe, expect, it } from 'vitest';
import type { Shape } from '../form/form';
import { countUnsaved, missingValues, nextToDo, type PairState, pairsOf, progressOf, sharedFields, statesOf } from './pairs';
import { matchRows, spaceRows } from './rows';
import { findSourceThen, type Version } from './staleness';

const type: Shape = {
  name: 'posts', singleton: false, slug_source: 'title', locales: ['en', 'de', 'fr'], root_locale: 'en', default_locale: 'en',
  fields: {
    title: { type: 'text' }, slug: { type: 'slug' }, lead: { type: 'textarea' }, body: { type: 'blocks', blocks: { hero: { fields: { text: { type: 'text' } } } } }, picture: { type: 'media' },
    code: { type: 'text', readonly: true }, note: { type: 'text', visible_if: { rank: 1 } }, rank: { type: 'number', localized: false },
  },
};
const SLOTS = { source: 'title', target: 'translations.de.title' };

/** Versions of a title from the newest to the oldest, in English and in German. */
function versions(...said: [en: unknown, de: unknown][]): Version[] {
  return said.map(([en, de], at) => ({ values: { title: en, [SLOTS.target]: de }, at: `${9 - at}`, by: at === 0 ? 'Anna' : 'Ben' }));
}

describe('what the source said when it was translated', () => {
  const check = (history: Version[], value: unknown, isDecided: boolean) => {
    expect(findSourceThen(history, SLOTS)).toMatchObject({ value, isDecided });
  };

  it('is known of the newest version that brought another translation', () => {
    check(versions(['New', 'Alt'], ['Old', 'Alt'], ['Old', undefined]), 'Old', true);
    check(versions(['New', 'Neu'], ['Old', 'Alt'], ['Old', undefined]), 'New', true);
    check(versions(['New', 'Neu'], ['New', 'Alt'], ['Old', 'Alt']), 'New', true);
    // Changes to and fro are none.
    check(versions(['Old', 'Alt'], ['New', 'Alt'], ['Old', 'Alt'], ['Old', null]), 'Old', true);
  });

  it('is what the oldest version says if the translation never changed', () => {
    check(versions(['New', 'Alt'], ['Old', 'Alt']), 'Old', false);
    check(versions(['Only', 'Alt']), 'Only', false);
    expect(findSourceThen([], SLOTS)).toBeUndefined();
  });

  it('comes with the newest change to the source', () => {
    expect(findSourceThen(versions(['Newest', 'Alt'], ['New', 'Alt'], ['Old', 'Alt']), SLOTS)?.change).toMatchObject({ at: '9', by: 'Anna' });
    expect(findSourceThen(versions(['New', 'Alt'], ['New', 'Alt'], ['Old', 'Alt']), SLOTS)?.change).toMatchObject({ at: '8', by: 'Ben' });
    expect(findSourceThen(versions(['Old', 'Alt'], ['Old', undefined]), SLOTS)?.change).toBeUndefined();
  });
});

describe('the fields of a translation', () => {
  const pairs = pairsOf(type, 'en', 'de');
  const german = (name: string) => pairs.find((it) => it.name === name)?.target ?? '';
  const base = { title: 'Bread', lead: 'Warm', code: 'x', [german('title')]: 'Brot' };
  const known = (value: unknown) => new Map([['title', { value, isDecided: true, change: undefined }]]);
  const states = (values: Record<string, unknown>, then = known('Bread')) =>
    Object.fromEntries(statesOf(type, pairs, { values, base }, 'de', then).map((it, at) => [pairs[at]?.name, it]));

  it('are those that are said in each language', () => {
    expect(pairs.map((it) => it.name)).toEqual(['title', 'lead', 'body', 'picture', 'code', 'note']);
    expect(sharedFields(type).map(([name]) => name)).toEqual(['rank']);
  });

  it('are missing where only the source has something', () => {
    expect(states(base)).toEqual({ title: 'done', lead: 'missing', body: 'rest', picture: 'rest', code: 'rest', note: 'hidden' });
    expect(states({ ...base, rank: 1, note: 'Hm', body: [{ _type: 'hero', text: 'Fresh' }], picture: ['a.jpg'] })).toMatchObject({ note: 'missing', body: 'missing', picture: 'rest' });
    expect(states({ ...base, body: [{ _type: 'hero', text: '' }] })).toMatchObject({ body: 'rest' });
  });

  it('are changed where the source says something else since', () => {
    expect(states({ ...base, title: 'Rye bread' }).title).toBe('changed');
    expect(states(base, known('Loaf')).title).toBe('changed');
    expect(states({ ...base, title: 'Rye bread', [german('title')]: 'Roggenbrot' }).title).toBe('done');
    // The German text came first, so the English one is its translation.
    expect(states(base, known(undefined)).title).toBe('done');
    expect(states({ ...base, title: 'Rye bread' }, new Map()).title).toBe('done');
  });

  it('are counted, copied and gone through', () => {
    const all: PairState[] = ['done', 'missing', 'hidden', 'changed', 'rest'];
    expect(progressOf(all)).toEqual({ done: 2, of: 3 });
    expect(missingValues(pairs, all, { lead: 'Warm', title: 'Bread' })).toEqual({ [german('lead')]: 'Warm' });
    expect([-1, 0, 1, 3, 4].map((from) => nextToDo(all, from, 1))).toEqual([1, 1, 3, 1, 1]);
    expect([-1, 0, 1, 3, 4].map((from) => nextToDo(all, from, -1))).toEqual([3, 3, 3, 1, 3]);
    expect(nextToDo(['done', 'rest'], 0, 1)).toBeUndefined();
    expect(countUnsaved(pairs, 'source', new Set(['lead', german('title'), 'rank']))).toBe(1);
    expect(countUnsaved(pairs, 'target', new Set(['lead', german('title'), german('lead')]))).toBe(2);
  });
});

describe('quoted rows', () => {
  it('belong to the block with their id, else to the row at their place', () => {
    const block = (_id: string) => ({ _type: 'hero', _id });
    expect(matchRows([{}, {}, {}], [{}, {}])).toEqual([0, 1, -1]);
    expect(matchRows([block('a'), block('b')], [block('b'), block('a')])).toEqual([1, 0]);
    expect(matchRows([block('a'), block('b')], [block('x'), block('a')])).toEqual([1, -1]);
    expect(matchRows([block('a'), block('b')], [block('x'), block('y')])).toEqual([0, 1]);
    expect(matchRows([block('a')], [])).toEqual([-1]);
  });

  it('stand beside their translations as far as they have room', () => {
    expect(spaceRows([20, 20, 20], [10, 110, 210], 5)).toEqual([10, 75, 75]);
    expect(spaceRows([150, 20, 20], [0, 100, 210], 5)).toEqual([0, 0, 30]);
    expect(spaceRows([20, 20], [undefined, 100], 5)).toEqual([0, 75]);
  });
});
