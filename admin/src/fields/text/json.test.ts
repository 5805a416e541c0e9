import { expect, it } from 'vitest';
import { compactJson, jsonText, parseJson, prettyJson, sameJson, unkeptNumber } from './json';

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

it.each(['12345678901234567890', '12345678901234567000', '-9007199254740993', '0.1234567890123456789', '1e999', '1e-400'])('%s cannot be kept', (number) => {
  expect(unkeptNumber(`{"a": "1", "b": [1, ${number}]}`)).toBe(number);
});

it('numbers that are written in another way are the same, and those in texts are none', () => {
  expect(unkeptNumber('[0, 1.0, 1.50, -2e5, 1E21, 123.45e-7, 0.30000000000000004, 9007199254740991]')).toBeUndefined();
  expect(unkeptNumber('{"12345678901234567890": "\\"12345678901234567890"}')).toBeUndefined();
});
