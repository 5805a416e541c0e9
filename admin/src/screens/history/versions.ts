/**
 * The versions of an entry. The server keeps states that were replaced, and with each what replaced
 * it; people think of versions, each with what brought it about.
 */
import type { AdminEntry, Revision } from '~/api/schema';

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
  /** The id of the release that made it, for readers who may see that. */
  change: string | null;
  /** The values that differ from the version before. */
  changed: readonly string[];
}

/** All versions, the newest first. `complete` says whether the first of all is among them. */
export function versionsOf(current: AdminEntry, revisions: readonly Revision[]): Version[] {
  const states = [{ id: CURRENT, entry: current }, ...revisions.map(({ id, entry }) => ({ id, entry }))];
  return states.map(({ id, entry }, at) => {
    const cause = revisions[at];
    return cause
      ? { id, entry, at: cause.created_at, by: cause.created_by_name ?? cause.created_by, event: cause.event, change: cause.change, changed: cause.changed }
      : { id, entry, at: entry.updated_at, by: null, event: undefined, change: null, changed: [] };
  });
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
