import { expect, it } from 'vitest';
import { isVisible } from './visible';

it('is decided by the fields beside', () => {
  const check = (visible_if: Record<string, unknown> | undefined, siblings: Record<string, unknown>) =>
    isVisible({ type: 'text', visible_if }, (name) => siblings[name]);
  expect(check(undefined, {})).toBe(true);
  expect(check({ kind: 'b' }, { kind: 'b' })).toBe(true);
  expect(check({ kind: 'b' }, { kind: 'a' })).toBe(false);
  expect(check({ size: [1, 2] }, { size: 2 })).toBe(true);
  expect(check({ size: [1, 2] }, { size: '2' })).toBe(false);
  expect(check({ shown: true, kind: 'a' }, { shown: true, kind: 'b' })).toBe(false);
  expect(check({ shown: true, kind: ['a', null] }, { shown: true })).toBe(true);
  expect(check({ note: '' }, {})).toBe(true);
  expect(check({ note: null }, { note: '' })).toBe(true);
  expect(check({ shown: false }, {})).toBe(false);
});
