import { describe, expect, it } from 'vitest';
import type { FieldDefinition } from '~/api/fields';
import type { AdminEntry } from '~/api/schema';
import { STATUSES } from '~/ui/status';
import type { ListField } from '../fields';
import { countPublic, hides, isClearable, isSettable, shownValue } from './set-field';

const field = (key: string, definition: FieldDefinition): ListField => ({ key, label: key, definition, system: key === 'status' });
const status = field('status', { type: 'select' });
const topic = field('topic', { type: 'select' });

describe('a field of many entries', () => {
  it('is never emptied by leaving an input alone', () => {
    for (const it of [status, topic]) {
      for (const value of [null, undefined, '', []]) expect(isSettable(it, value, false)).toBe(false);
      expect(isSettable(it, 'draft', false)).toBe(true);
    }
    expect(isSettable(undefined, 'draft', false)).toBe(false);
    expect(isSettable(topic, null, true)).toBe(true);
  });

  it('may be cleared if it is optional, or in a translation', () => {
    const required = field('lead', { type: 'text', required: true });
    expect(isClearable(status, false)).toBe(false);
    expect(isClearable(status, true)).toBe(false);
    expect(isClearable(topic, false)).toBe(true);
    expect(isClearable(required, false)).toBe(false);
    expect(isClearable(required, true)).toBe(true);
    expect(isClearable(field('lead', { type: 'text', required: true, localized: false }), true)).toBe(false);
  });

  it('gets what its input shows', () => {
    expect(shownValue(topic)).toBe(null);
    expect(shownValue(field('vegan', { type: 'boolean' }))).toBe(false);
    expect(shownValue(field('stars', { type: 'range', min: 1, max: 5 }))).toBe(1);
    expect(shownValue(field('stars', { type: 'range', min: 1, max: 5, default: 3 }))).toBe(3);
    expect(isSettable(field('vegan', { type: 'boolean' }), false, false)).toBe(true);
  });
});

describe('a status', () => {
  it('hides what was public', () => {
    expect(STATUSES.filter((it) => hides(status, it))).toEqual(['draft', 'protected', 'archived']);
    expect(hides(status, null)).toBe(false);
    expect(hides(topic, 'draft')).toBe(false);
  });

  it('is counted where all entries are known', () => {
    const now = new Date('2026-05-03T12:00:00Z');
    const row = (id: string, it: AdminEntry['status'], published_at: string | null = null, unpublish_at?: string) => ({
      id, status: it, published_at, ...(unpublish_at && { unpublish_at }),
    });
    const rows = [
      row('a', 'published', '2025-01-01T00:00:00Z'),
      row('b', 'published', '2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'),
      row('c', 'scheduled', '2026-05-03T12:00:00Z'),
      row('d', 'scheduled', '2027-01-01T00:00:00Z'),
      row('e', 'draft', '2025-01-01T00:00:00Z'),
    ];
    expect(countPublic(['a', 'b', 'c', 'd', 'e'], rows, now)).toBe(2);
    expect(countPublic(['b', 'e'], rows, now)).toBe(0);
    expect(countPublic(['a', 'elsewhere'], rows, now)).toBeUndefined();
  });
});
