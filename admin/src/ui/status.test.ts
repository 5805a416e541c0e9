import { expect, it } from 'vitest';
import { effectiveStatus, isAhead, type Status } from './status';

const NOW = new Date('2030-06-01T12:00:00Z');
const PAST = '2030-06-01T11:59:59Z';
const FUTURE = '2030-06-01T12:00:01Z';

it.each<[Status, string | null, Status, boolean]>([
  ['scheduled', PAST, 'published', false],
  ['scheduled', FUTURE, 'scheduled', true],
  ['scheduled', null, 'scheduled', false],
  ['published', PAST, 'published', false],
  ['published', FUTURE, 'published', true],
  ['draft', PAST, 'draft', false],
  ['draft', FUTURE, 'draft', false],
])('shows %s of %s as %s', (status, published_at, shown, ahead) => {
  expect(effectiveStatus({ status, published_at }, NOW)).toBe(shown);
  expect(isAhead({ status, published_at }, NOW)).toBe(ahead);
});
