import { describe, expect, it } from 'vitest';
import { numberText, parseNumber, stepNumber } from './numbers';

describe('numbers as they are typed', () => {
  it.each([
    ['5', 5, 5],
    [' 5 ', 5, 5],
    ['-5', -5, -5],
    ['−5', -5, -5],
    ['1.5', 1.5, 1.5],
    ['1,5', 1.5, 1.5],
    ['.5', 0.5, 0.5],
    ['5.', 5, 5],
    ['1,000', 1000, 1],
    ['1.000', 1, 1000],
    ['1.234,5', 1234.5, 1234.5],
    ['1,234.5', 1234.5, 1234.5],
    ['1,234,567', 1234567, 1234567],
    ['1 234,5', 1234.5, 1234.5],
    ['1e3', 1000, 1000],
  ])('%j is %d in English and %d in German', (text, en, de) => {
    expect(parseNumber(text, 'en')).toBe(en);
    expect(parseNumber(text, 'de')).toBe(de);
  });

  it.each(['', '-', '.', 'abc', '1..2', '1,2,3', '5 kg', '0x10', 'Infinity', '1e999'])('%j is none', (text) => {
    expect(parseNumber(text, 'en')).toBeUndefined();
  });

  it('are written so that they are read again', () => {
    for (const language of ['en', 'de']) {
      for (const value of [0, -1, 1.5, 1234.567, 1e21, 0.1, 1000]) {
        expect(parseNumber(numberText(value, language), language)).toBe(value);
      }
    }
  });

  it('step without noise', () => {
    expect(stepNumber(0.1, 0.2)).toBe(0.3);
    expect(stepNumber(9, 5, 0, 10)).toBe(10);
    expect(stepNumber(1, -5, 0)).toBe(0);
  });
});
