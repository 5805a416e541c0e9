import { describe, expect, it } from 'vitest';
import { estimateStrength, generatePassword } from './password';

describe('the strength of a password', () => {
  it.each([
    ['', 0],
    ['short', 0],
    ['äöüß', 1],
    ['aaaaaaaaaaaaaaaa', 1],
    ['abcdefghijkl', 1],
    ['12345678', 1],
    ['sommer24', 1],
    ['Sommer2024', 2],
    ['correct horse', 3],
    ['correct horse battery', 4],
  ])('of “%s” is %i', (password, expected) => {
    expect(estimateStrength(password)).toBe(expected);
  });
});

it('generated passwords are strong, and each another one', () => {
  const made = Array.from({ length: 50 }, generatePassword);
  expect(new Set(made).size).toBe(50);
  for (const password of made) {
    expect(password).toMatch(/^([a-zA-Z2-9]{5}-){3}[a-zA-Z2-9]{5}$/);
    expect(estimateStrength(password)).toBe(4);
  }
});
