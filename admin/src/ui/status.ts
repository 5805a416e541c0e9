/** The statuses of entries. */
import type { EntryHead } from '~/api/schema';
import { t } from '~/i18n';

export type Status = EntryHead['status'];
export const STATUSES: readonly Status[] = ['draft', 'published', 'scheduled', 'protected', 'archived'];

/** The colour of each, which no other one has. */
export const STATUS_COLORS = {
  draft: 'amber',
  published: 'green',
  scheduled: 'violet',
  protected: 'ink',
  archived: 'gray',
} as const satisfies Record<Status, string>;

/** The name of a status; of one that does not exist, the text itself. */
export function statusName(text: string): string {
  const status = STATUSES.find((it) => it === text);
  return status ? t(`general.status.${status}`) : text;
}

/** Checks whether the time at which an entry ends has come. */
export function hasEnded(unpublishAt: string | null | undefined, now = new Date()): boolean {
  return unpublishAt !== undefined && unpublishAt !== null && new Date(unpublishAt) <= now;
}

/** Checks whether a status makes an entry public, now or once its time has come. */
export function isPublicStatus(status: unknown): boolean {
  return status === 'published' || status === 'scheduled';
}

/** The part of an entry that says from when on it is public. */
type Beginning = Pick<EntryHead, 'status'> & { published_at?: string | null | undefined };

/** Checks whether an entry is public only from a time on that has not come yet. */
export function isAhead({ status, published_at: at }: Beginning, now = new Date()): boolean {
  return isPublicStatus(status) && at !== undefined && at !== null && new Date(at) > now;
}

/** Returns the status that readers notice: what was scheduled is published once its time has come, though it stays stored. */
export function effectiveStatus(entry: Beginning, now = new Date()): Status {
  return entry.status === 'scheduled' && entry.published_at && !isAhead(entry, now) ? 'published' : entry.status;
}
