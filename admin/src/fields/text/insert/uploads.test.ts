import { ChangeSet } from '@codemirror/state';
import { expect, it, vi } from 'vitest';
import { follow } from './uploads';

vi.mock('~/base', () => ({ BASE: '', NONCE: '', withBase: (path: string) => path, withoutBase: (path: string) => path }));

it.each([
  ['what is typed before it', { from: 0, insert: 'ab' }, { from: 4, to: 7 }],
  ['what is typed after it', { from: 6, insert: 'ab' }, { from: 2, to: 5 }],
  ['other words in its place', { from: 2, to: 5, insert: 'ab' }, { from: 4, to: 4 }],
  ['a word amid it', { from: 3, insert: 'ab' }, { from: 7, to: 7 }],
  ['words at its end', { from: 5, insert: 'ab' }, { from: 7, to: 7 }],
])('leaves %s alone', (_, change, place) => {
  expect(follow({ from: 2, to: 5 }, ChangeSet.of(change, 10))).toEqual(place);
});

it('comes after what is typed at its place', () => {
  expect(follow({ from: 2, to: 2 }, ChangeSet.of({ from: 2, insert: 'ab' }, 10))).toEqual({ from: 4, to: 4 });
});
