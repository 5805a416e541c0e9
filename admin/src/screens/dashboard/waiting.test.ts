import { expect, test } from 'vitest';
import type { Change } from '~/api/schema';
import { waitingChanges } from './waiting';

const ENTRY = { collection: 'posts', id: 'a', title: '', slug: '', action: 'update', updated_at: '' } as const;
const change = (id: string, more: object) =>
  ({ id, pending: false, state: 'open', publish_at: null, entries: [ENTRY], may: { manage: true, publish: true, approve: false }, ...more }) as unknown as Change;

test('what waits comes in the order of what can be done about it', () => {
  const pending = change('pending-anna', { pending: true });
  const late = change('late', { publish_at: '2027-02-01T09:00:00Z' });
  const early = change('early', { publish_at: '2027-01-01T09:00:00Z', state: 'approved' });
  const asked = change('asked', { state: 'in_review', may: { manage: false, publish: false, approve: true } });
  const foreign = change('foreign', { state: 'in_review' });
  const rows = waitingChanges(pending, [pending, late, foreign, early, asked]);
  expect(rows.map(({ reason, change: { id } }) => [reason, id])).toEqual([
    ['own', 'pending-anna'], ['approve', 'asked'], ['planned', 'early'], ['planned', 'late'],
  ]);
});

test('an empty pending change does not wait', () => {
  expect(waitingChanges(change('pending-anna', { pending: true, entries: [] }), [])).toEqual([]);
  expect(waitingChanges(undefined, [])).toEqual([]);
});
