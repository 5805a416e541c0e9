/** The actions on entries in the trash, one after the other, and the result of each. */
import { api, call } from '~/api/client';
import { ApiError } from '~/api/error';
import type { AdminEntry, TrashedEntry } from '~/api/schema';

/** An entry that is back, and what it was in the trash. */
export interface Restored {
  trashed: TrashedEntry;
  entry: AdminEntry;
}

/** An entry that stayed in the trash, and why. */
export interface Failure {
  trashed: TrashedEntry;
  error: ApiError;
}

/** Brings entries back. Those that cannot be are told apart; a mistake of another kind ends it. */
export async function restoreAll(type: string, all: readonly TrashedEntry[]) {
  const restored: Restored[] = [];
  const failed: Failure[] = [];
  for (const trashed of all) {
    const path = { collection: type, identifier: trashed.id };
    try {
      const { data } = await call(api.POST('/admin/api/trash/{collection}/{identifier}/restore', { params: { path } }));
      restored.push({ trashed, entry: data });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      failed.push({ trashed, error });
    }
  }
  return { restored, failed };
}

/** Deletes entries for good. */
export async function purgeAll(type: string, all: readonly TrashedEntry[]) {
  let deleted = 0;
  const failed: Failure[] = [];
  for (const trashed of all) {
    const path = { collection: type, identifier: trashed.id };
    try {
      await call(api.DELETE('/admin/api/trash/{collection}/{identifier}', { params: { path } }));
      deleted += 1;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      failed.push({ trashed, error });
    }
  }
  return { deleted, failed };
}

/** Checks whether it is about this one entry, so that the others are worth trying. */
function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && [403, 404, 409, 412, 422].includes(error.status);
}

/** Entries that came back under another slug, since theirs had been taken meanwhile. */
export function renamedEntries(restored: readonly Restored[]): Restored[] {
  return restored.filter(({ trashed, entry }) => entry.slug !== trashed.slug);
}
