import { expect, test } from 'vitest';
import { LIVE } from '../view';
import { threeWayMerge } from '../form/form';
import { baseOf, isGuarded } from './versions';

test('saving keeps what is public as it is in types with drafts, and in changes', () => {
  const drafts = { drafts: true };
  expect(isGuarded(drafts, LIVE, { status: 'published' })).toBe(true);
  expect(isGuarded(drafts, LIVE, { status: 'scheduled' })).toBe(true);
  expect(isGuarded(drafts, LIVE, { status: 'draft' })).toBe(false);
  expect(isGuarded(drafts, LIVE, undefined)).toBe(false);
  expect(isGuarded({}, LIVE, { status: 'published' })).toBe(false);
  expect(isGuarded({}, 'spring', { status: 'draft' })).toBe(true);
});

test('a draft is compared with the values from which it was begun', () => {
  const proposed = { title: 'Mild soup', lead: 'Hot.', 'translations.de.title': 'Milde Suppe', note: 'new' };
  const field = (path: string, base: unknown, value: unknown) => ({ path, base, live: base, proposed: value, conflict: false });
  const base = baseOf(proposed, {
    collection: 'dishes', id: 'a', action: 'update', conflict: false,
    fields: [
      field('title', 'Soup', 'Mild soup'), field('translations.de.title', 'Suppe', 'Milde Suppe'), field('data.note', null, 'new'),
    ],
  });
  expect(base).toEqual({ title: 'Soup', lead: 'Hot.', 'translations.de.title': 'Suppe', note: undefined });
  // The other side alone has changed the lead; both have changed the title.
  const merged = threeWayMerge(base, proposed, { ...base, title: 'Sharp soup', lead: 'Cold.' });
  expect(merged.conflicts).toEqual(['title']);
  expect(merged.values).toMatchObject({ lead: 'Cold.', note: 'new', 'translations.de.title': 'Milde Suppe' });
});

test('a draft that differs in nothing was begun from what it is', () => {
  expect(baseOf({ title: 'Soup' }, undefined)).toEqual({ title: 'Soup' });
});
