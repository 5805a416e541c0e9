import { describe, expect, it } from 'vitest';
import type { AdminEntry, Revision } from '~/api/schema';
import { CURRENT, pickPair, versionsOf } from './versions';

function entry(title: string): AdminEntry {
  return {
    id: 'e1', slug: 'e', type: 'posts', status: 'draft', title, published_at: null, created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z', data: {}, etag: 'x', locales: [], problems: [], translations: {},
  };
}

function revision(id: string, at: string, by: string | null, changed: string[]): Revision {
  return { id, created_at: at, created_by: by, created_by_name: null, event: 'update', change: null, title: id, slug: 'e', status: 'draft', changed, entry: entry(id) };
}

const revisions = [revision('second', '2026-01-03T00:00:00Z', 'ben', ['title']), revision('first', '2026-01-02T00:00:00Z', 'anna', ['title', 'body'])];
const versions = versionsOf(entry('third'), revisions);

describe('the versions of an entry', () => {
  it('say each what brought them about', () => {
    expect(versions.map(({ id, by, changed }) => [id, by, changed])).toEqual([
      [CURRENT, 'ben', ['title']],
      ['second', 'anna', ['title', 'body']],
      ['first', null, []],
    ]);
    expect(versions[2]?.event).toBeUndefined();
    expect(versions[2]?.at).toBe('2026-01-01T00:00:00Z');
  });

  it('are compared with the one before', () => {
    const ids = (asked: { from?: string; to?: string }) => {
      const pair = pickPair(versions, asked);
      return [pair?.from.id, pair?.to.id];
    };
    expect(ids({})).toEqual(['second', CURRENT]);
    expect(ids({ to: 'second' })).toEqual(['first', 'second']);
    expect(ids({ from: 'first' })).toEqual(['first', CURRENT]);
    expect(ids({ from: 'gone', to: 'gone' })).toEqual(['second', CURRENT]);
    expect(ids({ to: 'first' })).toEqual(['first', 'first']);
    expect(pickPair([], {})).toBeUndefined();
  });
});
