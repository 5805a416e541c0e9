import { describe, expect, it } from 'vitest';
import { isColour } from './checks';

describe('isColour', () => {
  it.each([
    ['#36c', true, true],
    ['#3F6F66', true, true],
    ['#3f6f66cc', false, true],
    ['#36cc', false, false],
    ['#3f6f6', false, false],
    ['36c', false, false],
    ['red', false, false],
  ])('takes %s as the server does', (text, plain, alpha) => {
    expect(isColour(text)).toBe(plain);
    expect(isColour(text, true)).toBe(alpha);
  });
});
