import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AdminEntry } from '~/api/schema';
import type { Shape } from '../form/form';
import { EntryForm } from '../form/store';
import { followForm } from './live';

const shape = {
  name: 'posts', locales: [], root_locale: '', default_locale: '', slug_source: 'title', singleton: false,
  fields: { title: { type: 'text' } },
} as unknown as Shape;
const entry = (title: string, etag: string) => ({ id: '1a', title, etag, data: {}, translations: {} }) as unknown as AdminEntry;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function follow(render: (title: unknown) => Promise<unknown> = async (title) => title) {
  const form = new EntryForm(shape, entry('A', '1'));
  const shown: unknown[] = [];
  const refused: unknown[] = [];
  const stop = followForm(form, {
    render: (state) => render(state.values.title),
    show: (it, saved) => shown.push([it, saved]),
    onRefused: (error) => refused.push(error),
  });
  return { form, shown, refused, stop };
}

test('what is typed is shown once the typing pauses', async () => {
  const { form, shown } = follow();
  await vi.advanceTimersByTimeAsync(0);
  for (const title of ['Ab', 'Abc', 'Abcd']) form.set('title', title);
  await vi.advanceTimersByTimeAsync(149);
  expect(shown).toEqual([['A', false]]);
  await vi.advanceTimersByTimeAsync(1);
  expect(shown).toEqual([['A', false], ['Abcd', false]]);
});

test('a late answer does not replace a later one', async () => {
  const answers: (() => void)[] = [];
  const { form, shown } = follow((title) => new Promise((done) => answers.push(() => done(title))));
  form.set('title', 'B');
  await vi.advanceTimersByTimeAsync(150);
  answers[1]?.();
  answers[0]?.();
  await vi.advanceTimersByTimeAsync(0);
  expect(shown).toEqual([['B', false]]);
});

test('that it was saved is told once, even if the answer to it came too late', async () => {
  const { form, shown } = follow();
  await vi.advanceTimersByTimeAsync(0);
  form.saved(entry('B', '2'), { title: 'B' });
  form.set('title', 'C');
  await vi.advanceTimersByTimeAsync(150);
  form.set('title', 'D');
  await vi.advanceTimersByTimeAsync(150);
  expect(shown.map((it) => (it as [unknown, boolean])[1]).filter(Boolean)).toHaveLength(1);
});

test('what is refused is told, and the page keeps what it shows', async () => {
  const { form, shown, refused } = follow(async (title) => {
    if (title === '') throw new Error('empty');
    return title;
  });
  await vi.advanceTimersByTimeAsync(0);
  form.set('title', '');
  await vi.advanceTimersByTimeAsync(150);
  expect(refused.at(-1)).toEqual(new Error('empty'));
  form.set('title', 'B');
  await vi.advanceTimersByTimeAsync(150);
  expect(refused.at(-1)).toBeUndefined();
  expect(shown).toEqual([['A', false], ['B', false]]);
});

test('nothing is shown after it has stopped', async () => {
  const { form, shown, stop } = follow();
  form.set('title', 'B');
  stop();
  await vi.advanceTimersByTimeAsync(500);
  expect(shown).toEqual([]);
});
