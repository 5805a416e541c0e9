import { describe, expect, it } from 'vitest';
import { findDifference, withLineFeeds } from './difference';

function apply(text: string, change: ReturnType<typeof findDifference>): string {
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
    expect(apply(before, findDifference(before, after))).toBe(after);
  });

  it('is nothing when there is none', () => {
    expect(findDifference('same', 'same')).toBeUndefined();
  });

  it('covers only what changed', () => {
    expect(findDifference('one two three', 'one 2 three')).toEqual({ from: 4, to: 7, insert: '2' });
  });
});

it('knows every kind of line end', () => {
  expect(withLineFeeds('a\r\nb\rc\nd')).toBe('a\nb\nc\nd');
});
