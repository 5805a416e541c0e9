/** Changes and what they propose for entries, as far as that takes no request. */
import type { Change, Proposal } from '../schema';

export type ChangeState = Change['state'];

/** The id under which everybody knows their own pending change. */
export const PENDING = 'pending';

/** The states in which a change can still be worked on. */
export const ACTIVE_STATES: readonly ChangeState[] = ['open', 'in_review', 'approved'];

/** Checks whether a change can still be worked on. */
export function isActive({ state }: Pick<Change, 'state'>): boolean {
  return ACTIVE_STATES.includes(state);
}

/** Checks whether an id is that of somebody's pending change. */
export function isPending(id: string): boolean {
  return id.startsWith(`${PENDING}-`);
}

/** Returns what a change proposes for an entry; of a single page there is only one. */
export function findProposal(
  change: Change | null | undefined,
  type: { name: string; singleton: boolean },
  id: string | undefined,
): Proposal | undefined {
  return change?.entries.find((it) => it.collection === type.name && (type.singleton || it.id === id));
}
