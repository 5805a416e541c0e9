import { expect, it } from 'vitest';
import type { Proposal } from '~/api/schema';
import { isListed } from './change';

it('lists releases, and drafts of others once there is something in them', () => {
  const entries = [{} as Proposal];
  const listed = (pending: boolean, author_id: string, of: Proposal[]) => isListed({ pending, author_id, entries: of }, 'anna');
  expect([listed(false, 'ben', []), listed(false, 'anna', entries), listed(true, 'ben', entries)]).toEqual([true, true, true]);
  expect([listed(true, 'ben', []), listed(true, 'anna', entries)]).toEqual([false, false]);
});
