import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Draft, draftKey, dropDraft, findDraft, keepDraft, overtakenSlots } from './drafts';

const draft: Draft = { etag: 'e', at: '2026-01-01T00:00:00Z', mine: { a: 'mine', b: 'mine' }, base: { a: 'base', b: 'base' } };

/** A storage of the browser, with so much room. */
function storage(room = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (text.length > room) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, text);
    },
    removeItem: (key: string) => void kept.delete(key),
  };
}

describe('drafts', () => {
  const key = draftKey('u1', 'default', 'posts', 'p1');
  beforeEach(() => vi.stubGlobal('localStorage', storage()));
  afterEach(() => vi.unstubAllGlobals());

  it('are found again until they are dropped', async () => {
    expect(await keepDraft(key, draft)).toBe(true);
    expect(await findDraft(key)).toEqual(draft);
    expect(await findDraft(draftKey('u2', 'default', 'posts', 'p1'))).toBeUndefined();
    await dropDraft(key);
    expect(await findDraft(key)).toBeUndefined();
  });

  it('are not kept where the browser has no room for them, and that is told', async () => {
    vi.stubGlobal('localStorage', storage(10));
    expect(await keepDraft(key, draft)).toBe(false);
  });

  it('know what others have changed since', () => {
    expect(overtakenSlots({ a: 'theirs', b: 'base' }, draft)).toEqual(['a']);
    expect(overtakenSlots({ a: 'mine', b: 'base' }, draft)).toEqual([]);
  });
});
