/** The parts of a backup, and what putting them back would change. */
import type { BackupPart, BackupRestored } from '~/api/schema';

/** The parts that decide about permissions or calls to other servers. */
const SENSITIVE: ReadonlySet<BackupPart> = new Set(['users', 'roles', 'tokens', 'webhooks']);

export function isSensitive(part: BackupPart): boolean {
  return SENSITIVE.has(part);
}

/** The name of a backup as addresses have it: without its extension. */
export function nameWithoutExtension(name: string): string {
  return name.replace(/\.zip$/, '');
}

/** The change of one part, in files. */
export interface PartChange {
  part: string;
  added: number;
  changed: number;
  removed: number;
  same: number;
}

/**
 * Returns the changes of a restoration. The server counts what comes, whether it is new or takes the place of
 * something; what would come if nothing was overwritten is what is new.
 */
export function changesOf(order: readonly BackupPart[], adding: BackupRestored, overwriting?: BackupRestored): PartChange[] {
  const told = overwriting ?? adding;
  return order
    .filter((part) => [told.restored, told.skipped, told.removed].some((it) => part in it))
    .map((part) => {
      const comes = told.restored[part] ?? 0;
      const added = Math.min(comes, adding.restored[part] ?? 0);
      return { part, added, changed: comes - added, removed: told.removed[part] ?? 0, same: told.skipped[part] ?? 0 };
    });
}

/** Checks whether anything would be different afterwards. */
export function changesAnything(changes: readonly PartChange[]): boolean {
  return changes.some((it) => it.added + it.changed + it.removed > 0);
}

/** A list with an item in it or not, in a given order. */
export function toggleItem<T>(order: readonly T[], chosen: readonly T[], item: T, on: boolean): T[] {
  return order.filter((it) => (it === item ? on : chosen.includes(it)));
}
