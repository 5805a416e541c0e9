/** The changes that the dashboard shows, and the reason for each. */
import type { Change } from '~/api/schema';

interface Waiting {
  /** It is the own pending one, waits for the reader's approval, or for its time. */
  reason: 'own' | 'approve' | 'planned';
  change: Change;
  /** The time for which it is planned, if it is. */
  at: string;
}

/** Returns what waits: one's own first, then what can be approved, then what is planned, the next first. */
export function waitingChanges(pending: Change | null | undefined, active: readonly Change[]): Waiting[] {
  const named = active.filter((it) => !it.pending);
  const own = pending && pending.entries.length > 0 ? [{ reason: 'own' as const, change: pending, at: '' }] : [];
  const approve = named.filter((it) => it.state === 'in_review' && it.may.approve);
  const planned = named.filter((it) => it.publish_at && !approve.includes(it)).toSorted((a, b) => String(a.publish_at).localeCompare(String(b.publish_at)));
  return [
    ...own,
    ...approve.map((change) => ({ reason: 'approve' as const, change, at: change.publish_at ?? '' })),
    ...planned.map((change) => ({ reason: 'planned' as const, change, at: change.publish_at ?? '' })),
  ];
}
