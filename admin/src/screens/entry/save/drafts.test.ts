import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Draft, draftKey, draftPlace, dropDraft, findDrafts, hasUnsavedValues, keepDraft, overtakenSlots } from './drafts';
import { findOpenForms, holdForm, nameForm } from './open-forms';

const draft: Draft = { etag: 'e', at: '2026-01-01T00:00:00Z', mine: { a: 'mine', b: 'mine' }, base: { a: 'base', b: 'base' } };

/** A storage of the browser, with so much room. */
function storage(room = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, string>();
  return {
    get length() {
      return kept.size;
    },
    key: (at: number) => [...kept.keys()][at] ?? null,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (text.length > room) throw new DOMException('full', 'QuotaExceededError');
      kept.set(key, text);
    },
    removeItem: (key: string) => void kept.delete(key),
  };
}

describe('drafts', () => {
  const place = draftPlace('u1', 'default', 'posts', 'p1');
  const key = draftKey(place, 'one');
  const none = new Set<string>();
  beforeEach(() => vi.stubGlobal('localStorage', storage()));
  afterEach(() => vi.unstubAllGlobals());

  it('are found again until they are dropped', async () => {
    expect(await keepDraft(key, draft)).toBe(true);
    expect(await findDrafts(place, none)).toEqual([{ ...draft, key }]);
    await dropDraft(key);
    expect(await findDrafts(place, none)).toEqual([]);
  });

  it('are found where they belong', async () => {
    await keepDraft(key, draft);
    for (const other of [draftPlace('u2', 'default', 'posts', 'p1'), draftPlace('u1', 'default', 'posts', 'p'), `${place}@release`]) {
      expect(await findDrafts(other, none)).toEqual([]);
    }
  });

  it('stay those of their forms, and what no open form goes on with is found, the newest first', async () => {
    const old = { ...draft, at: '2025-01-01T00:00:00Z' };
    const newer = { ...draft, at: '2026-02-01T00:00:00Z' };
    // The place alone was the key once.
    await keepDraft(place, old);
    await keepDraft(key, draft);
    await keepDraft(draftKey(place, 'two'), newer);
    const found = async (...open: string[]) => (await findDrafts(place, new Set(open))).map((it) => it.at);
    expect(await found()).toEqual([newer.at, draft.at, old.at]);
    expect(await found('one')).toEqual([newer.at, old.at]);
    await dropDraft(draftKey(place, 'two'));
    expect(await found()).toEqual([draft.at, old.at]);
  });

  it('that cannot be read do not hide the others', async () => {
    await keepDraft(key, draft);
    localStorage.setItem(place, '{');
    expect(await findDrafts(place, none)).toEqual([{ ...draft, key }]);
  });

  it('are not kept where the browser has no room for them, and that is told', async () => {
    vi.stubGlobal('localStorage', storage(10));
    expect(await keepDraft(key, draft)).toBe(false);
  });

  it('say something as long as a text in them is no value', () => {
    expect(hasUnsavedValues({ a: 'mine', b: 'mine' }, draft)).toBe(false);
    expect(hasUnsavedValues({ a: 'mine', b: 'mine' }, { ...draft, texts: { a: '{' } })).toBe(true);
    expect(hasUnsavedValues({}, { ...draft, mine: {}, raw: { text: '{', from: {}, problem: 'broken' } })).toBe(true);
  });

  it('know what others have changed since', () => {
    expect(overtakenSlots({ a: 'theirs', b: 'base' }, draft)).toEqual(['a']);
    expect(overtakenSlots({ a: 'mine', b: 'base' }, draft)).toEqual([]);
  });
});

describe('forms', () => {
  afterEach(() => vi.unstubAllGlobals());

  /** The locks of the browser, which gives those of this tab up late. */
  function locks(...names: string[]) {
    const held = names.map((name) => ({ name }));
    return {
      request: async (name: string) => void held.push({ name }),
      query: async () => ({ held }),
    };
  }

  it('are open in this tab from when they are held until they are released', async () => {
    for (const navigator of [{ locks: locks() }, {}, { locks: { request: () => Promise.reject(new Error()), query: () => Promise.reject(new Error()) } }]) {
      vi.stubGlobal('navigator', navigator);
      const name = nameForm();
      const release = holdForm(name);
      expect(await findOpenForms()).toEqual(new Set([name]));
      release();
      expect(await findOpenForms()).toEqual(new Set());
    }
  });

  it('are open in other tabs while these hold their locks', async () => {
    vi.stubGlobal('navigator', { locks: locks('recto.form.theirs', 'something.else') });
    expect(await findOpenForms()).toEqual(new Set(['theirs']));
  });

  it('can be held again by the same name', async () => {
    vi.stubGlobal('navigator', { locks: locks() });
    holdForm('again')();
    const release = holdForm('again');
    expect(await findOpenForms()).toEqual(new Set(['again']));
    release();
  });
});
