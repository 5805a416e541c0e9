import { describe, expect, it } from 'vitest';
import type { AdminEntry } from '~/api/schema';
import { changedSlots, type Shape, valuesOf } from './form';
import { mergeRaw, parseRaw, rawOf } from './raw';

const shape: Shape = {
  name: 'posts',
  locales: ['en', 'de'],
  root_locale: 'en',
  default_locale: 'en',
  slug_source: 'title',
  singleton: false,
  fields: { title: { type: 'text' }, slug: { type: 'slug' }, body: { type: 'text' }, rank: { type: 'number', localized: false } },
};
const entry: AdminEntry = {
  id: 'p1', slug: 'river', type: 'posts', status: 'draft', title: 'River', published_at: null, created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z', locale: 'en', data: { body: 'Text', rank: null },
  translations: { de: { title: 'Fluss', data: { body: 'Wort' } } }, locales: ['en', 'de'], problems: [], etag: 'e',
};
const values = valuesOf(shape, entry);
const text = JSON.stringify(rawOf(shape, values, entry), null, 2);

describe('an entry as JSON', () => {
  it('says the same when it is read back', () => {
    const { values: read, ignored } = parseRaw(shape, text, entry);
    expect(changedSlots(values, read)).toEqual([]);
    expect(ignored).toEqual([]);
  });

  it('takes in when it ends', () => {
    const ending = { ...entry, unpublish_at: '2027-01-01T00:00:00Z' };
    const raw = rawOf(shape, valuesOf(shape, ending), ending);
    expect(raw.unpublish_at).toBe('2027-01-01T00:00:00Z');
    expect(changedSlots(values, parseRaw(shape, JSON.stringify(raw), entry).values)).toEqual(['unpublish_at']);
  });

  it('gives changes by slot', () => {
    const edited = text.replace('"Wort"', '"Worte"').replace('"rank": null', '"rank": 4');
    expect(changedSlots(values, parseRaw(shape, edited, entry).values)).toEqual(['rank', 'translations.de.data.body']);
  });

  it('takes what was deleted away', () => {
    const raw = rawOf(shape, values, entry);
    delete raw.translations;
    expect(changedSlots(values, parseRaw(shape, JSON.stringify(raw), entry).values)).toEqual([
      'translations.de.title',
      'translations.de.data.body',
    ]);
  });

  it('tells what cannot be saved', () => {
    const raw = { ...rawOf(shape, values, entry), id: 'p2', extra: 1, data: { nope: 1 }, translations: { fr: { title: 'x' }, de: { data: { rank: 1 } } } };
    expect(parseRaw(shape, JSON.stringify(raw), entry).ignored).toEqual([
      'id', 'extra', 'data.nope', 'translations.fr', 'translations.de.data.rank',
    ]);
  });

  it('refuses what is no object', () => {
    expect(() => parseRaw(shape, '[]', entry)).toThrow(SyntaxError);
    expect(() => parseRaw(shape, '{', entry)).toThrow(SyntaxError);
  });
});

describe('a text that was begun from other values', () => {
  it('writes over none that came from elsewhere, but for those that it changes', () => {
    const from = { title: 'A', lead: 'Old.', note: null };
    const now = { title: 'A', lead: 'Theirs.', note: 'Theirs, too.' };
    expect(mergeRaw({ title: 'B', lead: 'Old.' }, from, now)).toEqual({ title: 'B', lead: 'Theirs.', note: 'Theirs, too.' });
    expect(mergeRaw({ title: 'A', lead: 'Mine.' }, from, now)).toMatchObject({ lead: 'Mine.' });
    const said = { title: 'B' };
    expect(mergeRaw(said, now, now)).toBe(said);
  });
});
