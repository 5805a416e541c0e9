import { describe, expect, it } from 'vitest';
import type { AdminEntry } from '~/api/schema';
import { toggleId, togglePage, toggleRange } from '../table/selection';
import { groupWrites, publishChange, restoreStatusChange, restoreValueChange, runInChunks, toChunkResult } from './bulk';

const all = async (ids: readonly string[]) => ({ done: ids, failed: {} });

describe('in chunks', () => {
  it('goes through all and tells how far it is', async () => {
    const told: number[] = [];
    const outcome = await runInChunks(['a', 'b', 'c'], { size: 2, onProgress: (it) => told.push(it) }, all);
    expect(outcome).toEqual({ done: ['a', 'b', 'c'], failed: {}, left: [] });
    expect(told).toEqual([2, 3]);
  });

  it('collects why some were not changed', async () => {
    const outcome = await runInChunks(['a', 'b', 'c'], { size: 1 }, async (ids) =>
      toChunkResult(ids, { errors: ids.includes('b') ? { b: { title: 'Too long.', slug: 'Taken.' } } : {} }),
    );
    expect(outcome).toEqual({ done: ['a', 'c'], failed: { b: 'Too long. Taken.' }, left: [] });
  });

  it('says what it did not reach', async () => {
    const gone = new Error('away');
    const outcome = await runInChunks(['a', 'b', 'c'], { size: 1 }, async (ids) => {
      if (ids.includes('b')) throw gone;
      return all(ids);
    });
    expect(outcome).toEqual({ done: ['a'], failed: {}, error: gone, left: ['b', 'c'] });
    const stop = new AbortController();
    const stopped = await runInChunks(['a', 'b'], { size: 1, signal: stop.signal, onProgress: () => stop.abort() }, all);
    expect(stopped).toEqual({ done: ['a'], failed: {}, left: ['b'] });
  });
});

describe('taking back', () => {
  const now = new Date('2026-05-03T12:00:00Z');
  const head = (status: AdminEntry['status'], published_at: string | null) => ({ status, published_at });

  it('publishes now what was to come later', () => {
    expect(publishChange(head('draft', null), now)).toEqual({ status: 'published' });
    expect(publishChange(head('draft', '2025-01-01T00:00:00Z'), now)).toEqual({ status: 'published' });
    expect(publishChange(head('scheduled', '2027-01-01T00:00:00Z'), now)).toEqual({ status: 'published', published_at: null });
  });

  it('brings the date back only where publishing changed it', () => {
    expect(restoreStatusChange(head('published', '2025-01-01T00:00:00Z'), now)).toEqual({ status: 'published' });
    expect(restoreStatusChange(head('draft', null), now)).toEqual({ status: 'draft', published_at: null });
    expect(restoreStatusChange(head('scheduled', '2027-01-01T00:00:00Z'), now)).toEqual({
      status: 'scheduled',
      published_at: '2027-01-01T00:00:00Z',
    });
  });

  it('publishes what has ended without its end, and brings that back', () => {
    const ended = { ...head('published', '2025-01-01T00:00:00Z'), unpublish_at: '2026-05-03T12:00:00Z' };
    const ending = { ...ended, unpublish_at: '2026-05-03T12:00:01Z' };
    expect(publishChange(ended, now)).toEqual({ status: 'published', unpublish_at: null });
    expect(publishChange(ending, now)).toEqual({ status: 'published' });
    expect(restoreStatusChange(ending, now)).toEqual({ status: 'published', unpublish_at: '2026-05-03T12:00:01Z' });
  });

  it('writes no translation where there was none', () => {
    const entry = {
      title: 'T', slug: 's', data: { lead: 'shown' }, translations: { de: { title: null, data: { lead: 'deutsch' } } },
    } as unknown as AdminEntry;
    expect(restoreValueChange(entry, 'lead', 'en', 'en')).toEqual({ lead: 'shown' });
    expect(restoreValueChange(entry, 'lead', 'de', 'en')).toEqual({ locale: 'de', lead: 'deutsch' });
    expect(restoreValueChange(entry, 'title', 'de', 'en')).toEqual({ locale: 'de', title: null });
    expect(restoreValueChange(entry, 'lead', 'fr', 'en')).toEqual({ locale: 'fr', lead: null });
    expect(restoreValueChange(entry, 'slug', 'de', 'en')).toEqual({ slug: 's' });
  });

  it('puts together what gets the same values', () => {
    expect(groupWrites([['a', { x: 1 }], ['b', { x: 2 }], ['c', { x: 1 }]])).toEqual([
      { ids: ['a', 'c'], data: { x: 1 } },
      { ids: ['b'], data: { x: 2 } },
    ]);
  });
});

describe('a selection', () => {
  const ids = ['a', 'b', 'c', 'd'];
  const is = (set: ReadonlySet<string>) => [...set].sort().join('');

  it('toggles one, a range in either direction, and a page', () => {
    expect(is(toggleId(new Set('a'), 'b'))).toBe('ab');
    expect(is(toggleId(new Set('ab'), 'b'))).toBe('a');
    expect(is(toggleRange(new Set('a'), ids, 0, 2))).toBe('abc');
    expect(is(toggleRange(new Set('d'), ids, 3, 1))).toBe('bcd');
    expect(is(toggleRange(new Set('abc'), ids, 0, 2))).toBe('');
    expect(is(togglePage(new Set('z'), ids))).toBe('abcdz');
    expect(is(togglePage(new Set([...ids, 'z']), ids))).toBe('z');
  });
});
