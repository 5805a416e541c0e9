import { describe, expect, it } from 'vitest';
import { comparisonOf, isEmptyValue, isSameValue, toStableText, toText } from './values';

describe('values', () => {
  it('are the same whatever the order of their keys', () => {
    expect(isSameValue({ a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 })).toBe(true);
    expect(isSameValue([1, 2], [2, 1])).toBe(false);
    expect(toStableText({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
  });

  it('can be nothing in several ways', () => {
    expect([undefined, null, '', []].every(isEmptyValue)).toBe(true);
    expect([0, false, ' ', {}].some(isEmptyValue)).toBe(false);
    expect(isSameValue(null, '')).toBe(true);
    expect(isSameValue([], undefined)).toBe(true);
    expect(isSameValue(false, null)).toBe(false);
    // Within a value every difference counts: of JSON fields it is the point.
    expect(isSameValue({ a: null }, { a: '' })).toBe(false);
  });

  it('are written as in a file', () => {
    expect(toText({ a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}');
    expect(toText('text')).toBe('text');
    expect(toText(null)).toBe('');
  });
});

describe('fields', () => {
  it('are compared by what they hold', () => {
    expect(comparisonOf({ type: 'markdown' })).toBe('lines');
    expect(comparisonOf({ type: 'relation', target: 'people' })).toBe('plain');
    expect(comparisonOf({ type: 'relation', target: 'people', multiple: true })).toBe('choices');
    expect(comparisonOf({ type: 'number' })).toBe('plain');
  });
});
