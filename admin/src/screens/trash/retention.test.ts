import { expect, test } from 'vitest';
import { daysLeft } from './retention';

test('a day that has begun counts', () => {
  const now = Date.parse('2026-05-10T12:00:00Z');
  expect(daysLeft('2026-05-10T12:00:00Z', 30, now)).toBe(30);
  expect(daysLeft('2026-05-09T11:00:00Z', 30, now)).toBe(29);
  expect(daysLeft('2026-04-10T13:00:00Z', 30, now)).toBe(1);
  expect(daysLeft('2026-03-01T00:00:00Z', 30, now)).toBe(0);
});
