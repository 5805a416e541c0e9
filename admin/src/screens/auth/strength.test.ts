import { describe, expect, it } from 'vitest';
import { estimateStrength, passwordFlaw } from './strength';

describe('the strength of a password', () => {
  it('is weak for what is tried first', () => {
    for (const password of ['password', 'aaaaaaaaaaaa', '12345678', 'Passwort123', 'abcdefghij', 'qwertz123']) {
      expect(estimateStrength(password), password).toBe(1);
    }
  });

  it('knows the name of its user', () => {
    expect(estimateStrength('anna-karenina', ['anna-karenina'])).toBe(1);
    expect(estimateStrength('anna-karenina')).toBeGreaterThan(2);
  });

  it('grows with length and with kinds of characters', () => {
    expect(estimateStrength('')).toBe(0);
    expect(estimateStrength('kro8')).toBe(1);
    expect(estimateStrength('kfwmtrpq')).toBeLessThan(estimateStrength('kF7m!rPq9w'));
    expect(estimateStrength('correct horse battery')).toBe(4);
  });
});

describe('what the server will not take', () => {
  it('is told before it is asked', () => {
    expect(passwordFlaw('seven77', 'anna')).toBe('short');
    expect(passwordFlaw('äöü ß', 'anna')).toBeUndefined();
    expect(passwordFlaw('x'.repeat(257), 'anna')).toBe('long');
    expect(passwordFlaw('Annabelle', 'annabelle')).toBe('username');
    expect(passwordFlaw('correct horse', 'anna')).toBeUndefined();
  });
});
