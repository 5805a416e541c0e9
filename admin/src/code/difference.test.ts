import { describe, expect, it } from 'vitest';
import { difference, withLineFeeds } from './difference';

function apply(text: string, change: ReturnType<typeof difference>): string {
  return change ? text.slice(0, change.from) + change.insert + text.slice(change.to) : text;
}

describe('the difference of two texts', () => {
  it.each([
    ['', ''],
    ['abc', 'abc'],
    ['abc', 'abXc'],
    ['aaa', 'aa'],
    ['aa', 'aaa'],
    ['one two', 'one three'],
    ['abc', ''],
    ['', 'abc'],
  ])('leads from %j to %j', (before, after) => {
    expect(apply(before, difference(before, after))).toBe(after);
  });

  it('is nothing when there is none', () => {
    expect(difference('same', 'same')).toBeUndefined();
  });

  it('covers only what changed', () => {
    expect(difference('one two three', 'one 2 three')).toEqual({ from: 4, to: 7, insert: '2' });
  });
});

it('knows every kind of line end', () => {
  expect(withLineFeeds('a\r\nb\rc\nd')).toBe('a\nb\nc\nd');
});
