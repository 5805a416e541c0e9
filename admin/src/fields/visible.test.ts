import { expect, it } from 'vitest';
import { isVisible } from './visible';

it('is decided by the fields beside', () => {
  const field = (visible_if: Record<string, unknown>) => ({ type: 'text' as const, visible_if });
  expect(isVisible({ type: 'text' }, {})).toBe(true);
  expect(isVisible(field({ kind: 'b' }), { kind: 'b' })).toBe(true);
  expect(isVisible(field({ kind: 'b' }), { kind: 'a' })).toBe(false);
  expect(isVisible(field({ size: [1, 2] }), { size: 2 })).toBe(true);
  expect(isVisible(field({ size: [1, 2] }), { size: '2' })).toBe(false);
  expect(isVisible(field({ shown: true, kind: 'a' }), { shown: true, kind: 'b' })).toBe(false);
  expect(isVisible(field({ note: '' }), {})).toBe(true);
  expect(isVisible(field({ shown: false }), {})).toBe(false);
});
