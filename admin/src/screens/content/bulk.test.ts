import { describe, expect, it } from 'vitest';
import type { AdminEntry } from '~/api/schema';
import { chunkResult, grouped, inChunks, publishing, statusBefore, valueBefore } from './bulk';
import { toggled, toggledPage, toggledRange } from './selection';

const all = async (ids: readonly string[]) => ({ done: ids, failed: {} });

describe('in chunks', () => {
  it('goes through all and tells how far it is', async () => {
    const told: number[] = [];
    const outcome = await inChunks(['a', 'b', 'c'], { size: 2, onProgress: (it) => told.push(it) }, all);
    expect(outcome).toEqual({ done: ['a', 'b', 'c'], failed: {}, left: [] });
    expect(told).toEqual([2, 3]);
  });

  it('collects why some were not changed', async () => {
    const outcome = await inChunks(['a', 'b', 'c'], { size: 1 }, async (ids) =>
      chunkResult(ids, ids.includes('b') ? { b: { title: 'Too long.', slug: 'Taken.' } } : {}),
    );
    expect(outcome).toEqual({ done: ['a', 'c'], failed: { b: 'Too long. Taken.' }, left: [] });
  });

  it('says what it did not reach', async () => {
    const gone = new Error('away');
    const outcome = await inChunks(['a', 'b', 'c'], { size: 1 }, async (ids) => {
      if (ids.includes('b')) throw gone;
      return all(ids);
    });
    expect(outcome).toEqual({ done: ['a'], failed: {}, error: gone, left: ['b', 'c'] });
    const stop = new AbortController();
    const stopped = await inChunks(['a', 'b'], { size: 1, signal: stop.signal, onProgress: () => stop.abort() }, all);
    expect(stopped).toEqual({ done: ['a'], failed: {}, left: ['b'] });
  });
});

describe('taking back', () => {
  const now = new Date('2026-05-03T12:00:00Z');
  const head = (status: AdminEntry['status'], published_at: string | null) => ({ status, published_at });

  it('publishes now what was to come later', () => {
    expect(publishing(head('draft', null), now)).toEqual({ status: 'published' });
    expect(publishing(head('draft', '2025-01-01T00:00:00Z'), now)).toEqual({ status: 'published' });
    expect(publishing(head('scheduled', '2027-01-01T00:00:00Z'), now)).toEqual({ status: 'published', published_at: null });
  });

  it('brings the date back only where publishing changed it', () => {
    expect(statusBefore(head('published', '2025-01-01T00:00:00Z'), now)).toEqual({ status: 'published' });
    expect(statusBefore(head('draft', null), now)).toEqual({ status: 'draft', published_at: null });
    expect(statusBefore(head('scheduled', '2027-01-01T00:00:00Z'), now)).toEqual({
      status: 'scheduled',
      published_at: '2027-01-01T00:00:00Z',
    });
  });

  it('writes no translation where there was none', () => {
    const entry = {
      title: 'T', slug: 's', data: { lead: 'shown' }, translations: { de: { title: null, data: { lead: 'deutsch' } } },
    } as unknown as AdminEntry;
    expect(valueBefore(entry, 'lead', 'en', 'en')).toEqual({ lead: 'shown' });
    expect(valueBefore(entry, 'lead', 'de', 'en')).toEqual({ locale: 'de', lead: 'deutsch' });
    expect(valueBefore(entry, 'title', 'de', 'en')).toEqual({ locale: 'de', title: null });
    expect(valueBefore(entry, 'lead', 'fr', 'en')).toEqual({ locale: 'fr', lead: null });
    expect(valueBefore(entry, 'slug', 'de', 'en')).toEqual({ slug: 's' });
  });

  it('puts together what gets the same values', () => {
    expect(grouped([['a', { x: 1 }], ['b', { x: 2 }], ['c', { x: 1 }]])).toEqual([
      { ids: ['a', 'c'], data: { x: 1 } },
      { ids: ['b'], data: { x: 2 } },
    ]);
  });
});

describe('a selection', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const is = (set: ReadonlySet<string>) => [...set].sort().join('');

  it('toggles one, a range in either direction, and a page', () => {
    expect(is(toggled(new Set('a'), 'b'))).toBe('ab');
    expect(is(toggled(new Set('ab'), 'b'))).toBe('a');
    expect(is(toggledRange(new Set('a'), ids, 0, 2))).toBe('abc');
    expect(is(toggledRange(new Set('d'), ids, 3, 1))).toBe('bcd');
    expect(is(toggledRange(new Set('abc'), ids, 0, 2))).toBe('');
    expect(is(toggledPage(new Set('z'), ids))).toBe('abcdz');
    expect(is(toggledPage(new Set([...ids, 'z']), ids))).toBe('z');
  });
});
