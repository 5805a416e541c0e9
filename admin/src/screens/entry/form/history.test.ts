import { describe, expect, it } from 'vitest';
import type { AdminEntry } from '~/api/schema';
import { isSameValue } from '~/diff/values';
import type { Shape, Values } from './form';
import { MOST_STEPS } from './history';
import { EntryForm } from './store';

const shape: Shape = {
  name: 'pages',
  locales: [],
  root_locale: '',
  default_locale: '',
  slug_source: 'title',
  singleton: false,
  fields: {
    title: { type: 'text' },
    body: { type: 'markdown' },
    tone: { type: 'select', options: ['calm', 'loud'] },
    seo: { type: 'object', fields: { heading: { type: 'text', label: 'Heading' } } },
    links: { type: 'repeater', label: 'Links', subfields: [{ key: 'to', type: 'url', label: 'To' }] },
    parts: { type: 'blocks', blocks: { hero: { label: 'Hero', fields: { words: { type: 'text', label: 'Words' } } } } },
  },
};

function version(etag: string, data: Record<string, unknown>, title = 'A'): AdminEntry {
  return {
    id: 'p1', slug: 'p1', type: 'pages', status: 'draft', title, published_at: null, created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z', data, translations: {}, locales: [], problems: [], etag,
  };
}

const hero = (id: string, words: string) => ({ _type: 'hero', _id: id, words });

/** The label of the step that undo would take back. */
const next = (form: EntryForm) => {
  const change = form.state().history.done.at(-1)?.change;
  return change && `${change.what} ${change.path} ${change.name}`;
};

describe('a step', () => {
  it('is the typing in one place', () => {
    const form = new EntryForm(shape, version('1', {}));
    for (const body of ['a', 'ab', 'abc']) form.set('body', body);
    form.closeStep();
    form.set('body', 'abcd');
    expect(form.state().history.done).toHaveLength(2);
    form.undo();
    form.undo();
    expect(form.state().values.body).toBe(undefined);
    expect(form.state().changed.size).toBe(0);
  });

  it('is none when the input took back all of it', () => {
    const form = new EntryForm(shape, version('1', { body: 'x' }));
    form.set('body', 'xy');
    form.set('body', 'x');
    expect(form.state().history.done).toHaveLength(0);
  });

  it('says what it did to which row', () => {
    const rows = [hero('a', 'One'), hero('b', 'Two'), hero('c', 'Three')];
    const form = new EntryForm(shape, version('1', { parts: rows, links: [{ to: '/a' }, { to: '/b' }], seo: {} }));
    form.set('parts', [rows[0], rows[2]]);
    expect(next(form)).toBe('removed parts[1] Hero: Two');
    form.set('parts', [rows[2], rows[0]]);
    expect(next(form)).toBe('moved parts[1] Hero: One');
    form.set('parts', [rows[2], rows[0], hero('d', ''), hero('e', '')]);
    expect(next(form)).toBe('added parts[2] 2 items');
    form.set('parts', [rows[2], { ...rows[0], words: 'Else' }, hero('d', ''), hero('e', '')]);
    expect(next(form)).toBe('typed parts[1].words Words');
    form.set('links', [{ to: '/a' }]);
    form.undo();
    const links = form.state().values.links as unknown[];
    form.set('links', links.with(1, { to: '/c' }));
    expect(next(form)).toBe('typed links[1].to To');
    form.set('seo', { heading: 'H' });
    expect(next(form)).toBe('typed seo.heading Heading');
    form.set('tone', 'calm');
    expect(next(form)).toBe('changed tone Tone');
  });

  it('is several values when they change together', () => {
    const form = new EntryForm(shape, version('1', { body: 'x', tone: 'calm' }));
    form.replace({ ...form.state().values, body: 'y', tone: 'loud' });
    expect(form.state().history.done).toHaveLength(1);
    form.undo();
    expect(form.state().values).toMatchObject({ body: 'x', tone: 'calm' });
  });
});

describe('a save', () => {
  it('is no end of undo, which makes the form dirty again', () => {
    const form = new EntryForm(shape, version('1', { parts: [hero('a', 'One')] }));
    form.set('parts', []);
    form.saved(version('2', { parts: [] }), form.state().values);
    expect(form.state().changed.size).toBe(0);
    form.undo();
    expect([...form.state().changed]).toEqual(['parts']);
    expect(form.state().values.parts).toEqual([hero('a', 'One')]);
    form.redo();
    expect(form.state().changed.size).toBe(0);
  });

  it('leaves the steps their ends as the server writes them', () => {
    const form = new EntryForm(shape, version('1', { body: 'x' }));
    form.set('title', ' B ');
    form.saved(version('2', { body: 'x' }, 'B'), form.state().values);
    form.undo();
    expect(form.state().values.title).toBe('A');
    form.redo();
    expect(form.state().values.title).toBe('B');
    expect(form.state().changed.size).toBe(0);
  });

  it('is not undone with the status that it set', () => {
    const form = new EntryForm(shape, version('1', {}));
    form.impose({ status: 'published' });
    expect(form.state().history.done).toHaveLength(0);
    expect([...form.state().changed]).toEqual(['status']);
  });
});

describe('what others change', () => {
  it('is never put back, and its steps are named', () => {
    const form = new EntryForm(shape, version('1', { body: 'x', tone: 'calm' }));
    form.set('body', 'mine');
    form.set('tone', 'loud');
    form.saved(version('2', { body: 'mine', tone: 'loud' }), form.state().values);
    const theirs = version('3', { body: 'theirs', tone: 'loud' });
    form.rebase(theirs, { ...form.state().values, body: 'theirs' });
    expect(form.state().lost).toEqual(['body']);
    form.undo();
    expect(form.undo()).toBe(undefined);
    expect(form.state().values).toMatchObject({ body: 'theirs', tone: 'calm' });
  });

  it('begins anew when it is loaded in place of the form', () => {
    const form = new EntryForm(shape, version('1', { body: 'x' }));
    form.set('body', 'mine');
    form.adopt(version('2', { body: 'x' }));
    expect(form.state().history.done).toHaveLength(0);
  });
});

describe('loading a newer version', () => {
  const start = () => {
    const form = new EntryForm(shape, version('1', { body: 'x', tone: 'calm' }));
    form.set('body', 'mine');
    form.closeStep();
    form.load(version('2', { body: 'theirs', tone: 'loud' }));
    return form;
  };
  const seen = (form: EntryForm) => [form.state().values.body, form.state().values.tone, form.state().entry?.etag, [...form.state().changed].sort().join()];

  it('is a step that goes back to the version that was typed on, and forth', () => {
    const form = start();
    expect(seen(form)).toEqual(['theirs', 'loud', '2', '']);
    form.undo();
    // On the old version, so that a save still asks about the conflict; what only they changed stays.
    expect(seen(form)).toEqual(['mine', 'loud', '1', 'body,tone']);
    form.undo();
    expect(form.state().values.body).toBe('x');
    form.redo();
    form.redo();
    expect(seen(form)).toEqual(['theirs', 'loud', '2', '']);
  });

  it('gives only the values back once something was saved on it', () => {
    const form = start();
    form.set('title', 'B');
    form.saved(version('3', { body: 'theirs', tone: 'loud' }, 'B'), form.state().values);
    form.undo();
    form.undo();
    expect(form.state().values.title).toBe('A');
    expect(seen(form)).toEqual(['mine', 'loud', '3', 'body,title']);
  });

  it('takes along what was typed and no value yet', () => {
    const form = new EntryForm(shape, version('1', { body: 'x' }));
    const raw = { text: '{', from: form.state().values, problem: 'broken' };
    form.setRaw(raw);
    form.keepText('seo.json', '[');
    form.load(version('2', { body: 'theirs' }));
    expect(form.state()).toMatchObject({ raw: undefined, texts: {} });
    form.undo();
    expect(form.state()).toMatchObject({ raw, texts: { 'seo.json': '[' } });
  });
});

/** Numbers that look random and are the same for the same seed. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Does something that a user could do. */
function act(form: EntryForm, random: (below: number) => number, at: number): void {
  const { values } = form.state();
  const rows = (values.parts ?? []) as ReturnType<typeof hero>[];
  const place = random(Math.max(1, rows.length));
  const acts = [
    () => form.set('title', `T${random(3)}`),
    () => form.set('body', `${String(values.body ?? '')}${random(10)}`),
    () => form.set('tone', ['calm', 'loud', null][random(3)]),
    () => form.set('parts', rows.toSpliced(place, 0, hero(`n${at}`, ''))),
    () => form.set('parts', rows.toSpliced(place, 1)),
    () => form.set('parts', rows.toReversed()),
    () => form.set('parts', rows.map((row, index) => (index === place ? { ...row, words: `${row.words}x` } : row))),
    () => form.replace({ ...values, title: `R${at}`, tone: 'loud' }),
    () => form.closeStep(),
    () => form.undo(),
    () => form.redo(),
    // It brings nothing of others, which would stay when it is undone.
    () => form.load(version(`l${at}`, savedData(form.state().base), String(form.state().base.title ?? ''))),
    () => form.saved(version(`s${at}`, savedData(form.state().values), String(form.state().values.title ?? '')), form.state().values),
  ];
  acts[random(acts.length)]?.();
}

function savedData(values: Values): Record<string, unknown> {
  return Object.fromEntries(['body', 'tone', 'parts'].map((name) => [name, structuredClone(values[name] ?? null)]));
}

describe('after anything that a user does', () => {
  it('undoing all leads to the beginning, and redoing all to the end', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = randomFrom(seed);
      const form = new EntryForm(shape, version('1', { body: 'b', tone: 'calm', parts: [hero('a', 'One'), hero('b', 'Two')] }));
      const start = form.state().values;
      const count = 1 + random(MOST_STEPS - 10);
      for (let at = 0; at < count; at += 1) act(form, random, at);
      while (form.redo());
      const end = form.state().values;
      while (form.undo());
      for (const slot of Object.keys(end)) expect(isSameValue(form.state().values[slot], start[slot]), `seed ${seed}, start of ${slot}`).toBe(true);
      while (form.redo());
      for (const slot of Object.keys(end)) expect(isSameValue(form.state().values[slot], end[slot]), `seed ${seed}, end of ${slot}`).toBe(true);
    }
  });
});
