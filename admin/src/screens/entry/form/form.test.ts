import { describe, expect, it } from 'vitest';
import type { AdminEntry } from '~/api/schema';
import {
  bodyOf, changedSlots, completeness, copyBody, createBody, defaultsOf, errorsAt, isRemoved, threeWayMerge, placeOf, readValue,
  type Shape, slotOf, valuesOf,
} from './form';

const shape: Shape = {
  name: 'posts',
  locales: ['en', 'de'],
  root_locale: 'en',
  default_locale: 'en',
  slug_source: 'title',
  singleton: false,
  fields: {
    title: { type: 'text', required: true },
    slug: { type: 'slug' },
    body: { type: 'markdown' },
    rows: { type: 'repeater' },
    rank: { type: 'number', localized: false, default: 3 },
  },
};

const entry = {
  id: 'p1',
  slug: 'river',
  type: 'posts',
  status: 'draft',
  title: 'River',
  published_at: null,
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  locale: 'en',
  data: { body: 'Text', rank: 1 },
  translations: { de: { title: 'Fluss', data: { body: 'Wort' } } },
  locales: ['en', 'de'],
  problems: [],
  etag: 'e1',
} satisfies AdminEntry;

describe('slots', () => {
  it('are the paths that the server uses', () => {
    expect(slotOf(shape, 'title', 'en')).toBe('title');
    expect(slotOf(shape, 'title', 'de')).toBe('translations.de.title');
    expect(slotOf(shape, 'body', 'de')).toBe('translations.de.data.body');
    expect(slotOf(shape, 'rank', 'de')).toBe('rank');
    expect(slotOf(shape, 'status', 'de')).toBe('status');
  });

  it('are those of a field and a language that the type still has', () => {
    const slots = ['title', 'status', 'author_id', 'rank', 'translations.de.title', 'translations.de.data.body'];
    const removed = ['lead', 'translations.de.data.lead', 'translations.fr.title', 'translations.fr.data.body'];
    expect([...slots, ...removed].filter((it) => isRemoved(shape, it))).toEqual(removed);
  });

  it('are found in the paths of errors and problems', () => {
    expect(placeOf('translations.de.data.rows[0].answer')).toEqual({
      slot: 'translations.de.data.rows',
      locale: 'de',
      field: 'rows',
      rest: '[0].answer',
    });
    expect(placeOf('translations.de.title').slot).toBe('translations.de.title');
    expect(placeOf('data.rows[1].a')).toEqual({ slot: 'rows', locale: '', field: 'rows', rest: '[1].a' });
    expect(placeOf('title').rest).toBe('');
  });
});

describe('values', () => {
  it('hold what an entry says in all languages', () => {
    expect(valuesOf(shape, entry)).toMatchObject({
      title: 'River',
      slug: 'river',
      body: 'Text',
      'translations.de.title': 'Fluss',
      'translations.de.data.body': 'Wort',
    });
  });

  it('fall back as they do for readers', () => {
    const values = valuesOf(shape, entry);
    expect(readValue(shape, { ...values, 'translations.de.title': '' }, 'title', 'de')).toBe('River');
    expect(completeness(shape, { ...values, 'translations.de.data.body': null }, 'de')).toEqual({ done: 1, of: 2 });
  });
});

describe('bodies', () => {
  it('have what changed and nothing else', () => {
    const before = valuesOf(shape, entry);
    const after = { ...before, body: '', status: 'published', 'translations.de.title': 'Strom', 'translations.de.data.body': undefined };
    expect(bodyOf(shape, after, changedSlots(before, after))).toEqual({
      locale: 'en',
      status: 'published',
      data: { body: '' },
      translations: { de: { title: 'Strom', data: { body: null } } },
    });
  });

  it('clear a default that was taken away, and leave the rest of what is empty to the server', () => {
    expect(defaultsOf(shape)).toEqual({ status: 'draft', rank: 3 });
    expect(createBody(shape, { status: 'draft', title: 'A', body: '', rank: null })).toEqual({
      locale: 'en',
      status: 'draft',
      title: 'A',
      data: { rank: null },
    });
  });

  it('make a copy a draft of its own', () => {
    expect(copyBody(shape, { ...valuesOf(shape, entry), status: 'published', author_id: 'u1' })).toEqual({
      locale: 'en',
      status: 'draft',
      title: 'River',
      data: { body: 'Text', rank: 1 },
      translations: { de: { title: 'Fluss', data: { body: 'Wort' } } },
    });
  });
});

describe('merging', () => {
  const base = { a: 1, b: 1, c: 1, d: 1, e: 1 };

  it('takes what one side alone changed, and asks where both did', () => {
    expect(threeWayMerge(base, { ...base, a: 2, c: 2, d: 2 }, { ...base, b: 3, c: 3, d: 2 })).toEqual({
      values: { a: 2, b: 3, c: 2, d: 2, e: 1 },
      taken: ['b'],
      conflicts: ['c'],
    });
  });

  it('knows of what is new or gone on one side', () => {
    expect(threeWayMerge({ a: 1 }, { a: 1, b: 2 }, { c: 3 })).toEqual({
      values: { a: undefined, b: 2, c: 3 },
      taken: ['a', 'c'],
      conflicts: [],
    });
  });
});

describe('errors', () => {
  it('belong to a slot with all that is below it', () => {
    const errors = { 'rows[0].a': 'x', rowsome: 'y', rows: 'z' };
    expect(Object.keys(errorsAt(errors, 'rows'))).toEqual(['rows[0].a', 'rows']);
    expect(errorsAt(errors, 'body')).toBe(errorsAt({}, 'title'));
  });
});
