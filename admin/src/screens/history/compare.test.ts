import { describe, expect, it } from 'vitest';
import type { ContentTypeShape } from '~/api/fields';
import type { AdminEntry } from '~/api/schema';
import { compareEntries, countChanges, localesOf, restoreBody, valueIn } from './compare';

const type = {
  name: 'posts',
  root_locale: 'en',
  locales: ['en', 'de'],
  fields: { title: { type: 'text' }, slug: { type: 'slug' }, body: { type: 'markdown' }, rank: { type: 'number', localized: false } },
  // Only what is compared is of interest here.
} as unknown as ContentTypeShape;

function entry(change: Partial<AdminEntry>): AdminEntry {
  return {
    id: 'e1', slug: 'e', type: 'posts', status: 'draft', title: 'One', published_at: null, created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z', data: { body: 'text', rank: 1 }, etag: 'x', locales: ['en', 'de'], problems: [],
    translations: { de: { title: 'Eins', data: { body: 'Text' } } }, ...change,
  };
}

const before = entry({});
const after = entry({ status: 'published', data: { body: 'text', rank: 2 }, translations: { de: { title: 'Eins', data: { body: 'Neu' } } } });

describe('two versions of an entry', () => {
  it('are compared field by field', () => {
    const changed = compareEntries(type, 'en', before, after).filter((it) => !it.same);
    expect(changed.map((it) => it.name)).toEqual(['rank', 'status']);
  });

  it('are compared in each language, without what all languages share', () => {
    expect(compareEntries(type, 'de', before, after).map((it) => it.name)).toEqual(['title', 'body']);
    expect(countChanges(type, before, after)).toEqual({ en: 2, de: 1 });
    expect(localesOf(type)).toEqual(['en', 'de']);
  });

  it('have values that are said by the language itself', () => {
    expect(valueIn(before, type, 'de', 'title')).toBe('Eins');
    expect(valueIn(before, type, 'de', 'rank')).toBeUndefined();
    expect(valueIn(entry({ translations: {} }), type, 'de', 'body')).toBeUndefined();
  });
});

describe('bringing back one value', () => {
  it('names the field where the server looks for it', () => {
    expect(restoreBody(type, 'en', 'body', 'old')).toEqual({ data: { body: 'old' }, locale: 'en' });
    expect(restoreBody(type, 'en', 'title', 'Old')).toEqual({ title: 'Old', locale: 'en' });
    expect(restoreBody(type, 'de', 'body', undefined)).toEqual({ translations: { de: { data: { body: null } } } });
    expect(restoreBody({ ...type, root_locale: '', locales: [] }, '', 'body', 'old')).toEqual({ data: { body: 'old' } });
  });
});
