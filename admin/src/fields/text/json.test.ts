import { expect, it } from 'vitest';
import { compactJson, jsonText, parseJson, prettyJson, sameJson } from './json';

it('an empty text is no value', () => {
  expect(parseJson('  \n')).toEqual({ value: null });
  expect(jsonText(null)).toBe('');
  expect(jsonText(undefined)).toBe('');
});

it('keeps what is falsy and not nothing', () => {
  for (const value of [false, 0, '', []]) expect(parseJson(jsonText(value))).toEqual({ value });
});

it('says what is wrong', () => {
  expect(parseJson('{"a":').problem).toBeTruthy();
  expect(prettyJson('{"a":')).toBe('{"a":');
  expect(compactJson('{"a":')).toBe('{"a":');
});

it('is written on many lines and on one', () => {
  expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(compactJson('{\n "a": [1] }')).toBe('{"a":[1]}');
});

it('tells values apart', () => {
  expect(sameJson({ a: 1 }, { a: 1 })).toBe(true);
  expect(sameJson(undefined, null)).toBe(true);
  expect(sameJson({ a: 1 }, { a: 2 })).toBe(false);
});
