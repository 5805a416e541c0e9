/**
 * The versions of an entry. The server keeps states that were replaced, and with each what replaced
 * it; people think of versions, each with what brought it about.
 */
import { findProposal } from '~/api/changes/change';
import type { AdminEntry, Change, Revision } from '~/api/schema';

/** The id of the version that is there now. */
export const CURRENT = 'current';

export interface Version {
  /** {@link CURRENT}, else that of the revision. */
  id: string;
  entry: AdminEntry;
  /** The time of the version, and its author. */
  at: string;
  by: string | null;
  /** The event that made it; nothing for the first one, and for those whose forerunner is not loaded. */
  event: Revision['event'] | undefined;
  /** The values that differ from the version before. */
  changed: readonly string[];
}

/** All versions, the newest first. `complete` says whether the first of all is among them. */
export function versionsOf(current: AdminEntry, revisions: readonly Revision[]): Version[] {
  const states = [{ id: CURRENT, entry: current }, ...revisions.map(({ id, entry }) => ({ id, entry }))];
  return states.map(({ id, entry }, at) => {
    const cause = revisions[at];
    return cause
      ? { id, entry, at: cause.created_at, by: cause.created_by_name ?? cause.created_by, event: cause.event, changed: cause.changed }
      : { id, entry, at: entry.updated_at, by: null, event: undefined, changed: [] };
  });
}

/** The most milliseconds between a publication and the revisions that it makes. */
const SAME_MOMENT = 2000;

/** Returns the change with which a version was published: the one of that moment with the entry in it. */
export function changeOf(
  { at }: Pick<Version, 'at'>,
  changes: readonly Change[],
  type: { name: string; singleton: boolean },
  id: string,
): Change | undefined {
  const within = (it: Change) => Math.abs(Date.parse(it.published_at ?? '') - Date.parse(at)) <= SAME_MOMENT;
  return changes.find((it) => within(it) && findProposal(it, type, id));
}

/** Returns the two versions to compare: those of the address, else the last change. */
export function pickPair(
  versions: readonly Version[],
  asked: { from?: string | undefined; to?: string | undefined },
): { from: Version; to: Version } | undefined {
  const at = versions.findIndex((it) => it.id === asked.to);
  const to = versions[Math.max(0, at)];
  const from = versions.find((it) => it.id === asked.from) ?? versions[Math.max(0, at) + 1] ?? versions.at(-1);
  return to && from ? { from, to } : undefined;
}
