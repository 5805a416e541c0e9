import { describe, expect, it, vi } from 'vitest';
import type { AdminEntry } from '~/api/schema';
import type { Shape } from './form';
import { EntryForm, isDirty, isKeepable } from './store';

const shape: Shape = {
  name: 'posts',
  locales: [],
  root_locale: '',
  default_locale: '',
  slug_source: 'title',
  singleton: false,
  fields: { title: { type: 'text' }, body: { type: 'text' }, rows: { type: 'repeater' } },
};

function version(etag: string, title: string, data: Record<string, unknown>): AdminEntry {
  return {
    id: 'p1', slug: 'p1', type: 'posts', status: 'draft', title, published_at: null, created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z', data, translations: {}, locales: [], problems: [], etag,
  };
}

describe('the form', () => {
  it('knows what was changed, and forgets it when it is changed back', () => {
    const form = new EntryForm(shape, version('1', 'A', { body: 'x' }));
    form.set('body', 'y');
    form.set('title', 'B');
    expect([...form.state().changed]).toEqual(['body', 'title']);
    form.set('body', 'x');
    expect([...form.state().changed]).toEqual(['title']);
    form.reset();
    expect(form.state().changed.size).toBe(0);
  });

  it('shares what did not change, so that only the field that did is drawn anew', () => {
    const rows = [{ a: 1 }];
    const form = new EntryForm(shape, version('1', 'A', { rows, body: 'x' }));
    form.set('body', 'y');
    expect(form.state().values.rows).toBe(rows);
    form.adopt(version('2', 'A', { rows: [{ a: 1 }], body: 'z' }));
    expect(form.state().values.rows).toBe(rows);
    expect(form.state().values.body).toBe('z');
  });

  it('says nothing when nothing happens', () => {
    const form = new EntryForm(shape, version('1', 'A', {}));
    const listener = vi.fn();
    const stop = form.subscribe(listener);
    form.set('title', 'A');
    expect(listener).not.toHaveBeenCalled();
    form.set('title', 'B');
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
  });

  it('keeps what is typed while it is being saved, as a change to what was saved', () => {
    const form = new EntryForm(shape, version('1', 'A', { body: 'x' }));
    form.set('title', ' B ');
    const sent = form.state().values;
    form.set('body', 'typed meanwhile');
    form.saved(version('2', 'B', { body: 'x' }), sent);
    expect(form.state().values.title).toBe('B');
    expect([...form.state().changed]).toEqual(['body']);
    expect(form.state().entry?.etag).toBe('2');
  });

  it('forgets what was wrong with a value when it is changed', () => {
    const form = new EntryForm(shape, version('1', 'A', {}));
    form.setErrors({ 'rows[0].a': 'No.', title: 'No.' });
    form.set('rows', [{ a: 2 }]);
    expect(form.state().errors).toEqual({ title: 'No.' });
  });
});

describe('what is typed and no value yet', () => {
  const make = () => new EntryForm(shape, version('1', 'A', { body: 'x' }));
  const standing = (form: EntryForm) => [isDirty(form.state()), isKeepable(form.state())];

  it('counts as a change, and is kept where it is a text', () => {
    const form = make();
    expect(standing(form)).toEqual([false, false]);
    form.setUnfinished('body', 'Half a number.');
    expect(standing(form)).toEqual([true, false]);
    form.setUnfinished('body', undefined);
    form.keepText('body', '{');
    expect(standing(form)).toEqual([true, true]);
    expect(form.textAt('body')).toBe('{');
    form.keepText('body', undefined);
    expect(standing(form)).toEqual([false, false]);
    const from = form.state().values;
    form.setRaw({ text: '{}', from });
    expect(standing(form)).toEqual([false, false]);
    form.setRaw({ text: '{', from, problem: 'broken' });
    expect(standing(form)).toEqual([true, true]);
  });

  it('outlasts a save, and not another version', () => {
    const form = make();
    form.keepText('body', '{');
    form.set('title', 'B');
    form.saved(version('2', 'B', { body: 'x' }), form.state().values);
    expect(standing(form)).toEqual([true, true]);
    form.adopt(version('3', 'C', { body: 'x' }));
    expect(standing(form)).toEqual([false, false]);
  });

  it('is put back beside what is typed already', () => {
    const form = make();
    form.keepText('body', '{');
    const raw = { text: '{', from: {}, problem: 'broken' };
    form.restoreTexts({ texts: { rows: '[' }, raw });
    expect(form.state()).toMatchObject({ texts: { body: '{', rows: '[' }, raw });
    form.restoreTexts({});
    expect(form.state()).toMatchObject({ texts: { body: '{', rows: '[' }, raw });
  });
});
