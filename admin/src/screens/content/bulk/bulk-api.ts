/** The requests behind changes of many entries. */
import { api, call, request } from '~/api/client';
import { ApiError } from '~/api/error';
import type { AdminEntry } from '~/api/schema';
import { serverMessages } from '~/i18n/translation';
import { fetchEntries } from '../useEntries';
import { type BulkAnswer, type ChunkResult, groupWrites, toChunkResult } from './bulk';

async function sendBulk(type: string, method: string, json: { ids: readonly string[]; data?: unknown }): Promise<ChunkResult> {
  const { data } = await request<{ data: BulkAnswer }>(`/admin/api/content/${type}/bulk`, { method, json });
  return toChunkResult(json.ids, data, Object.keys(data.errors).length > 0 ? await serverMessages() : undefined);
}

/** Writes the same values to some entries. */
export function writeSameValues(type: string, ids: readonly string[], data: Record<string, unknown>): Promise<ChunkResult> {
  return sendBulk(type, 'PATCH', { ids, data });
}

/** Writes values that may be others for each entry. */
export async function writeOwnValues(
  type: string,
  writes: Iterable<readonly [id: string, data: Record<string, unknown>]>,
): Promise<ChunkResult> {
  const done: string[] = [];
  const failed: Record<string, string> = {};
  for (const { ids, data } of groupWrites(writes)) {
    const result = await writeSameValues(type, ids, data);
    done.push(...result.done);
    Object.assign(failed, result.failed);
  }
  return { done, failed };
}

/** Puts some entries into the trash. */
export function trashEntries(type: string, ids: readonly string[]): Promise<ChunkResult> {
  return sendBulk(type, 'DELETE', { ids });
}

/** Brings some entries back from the trash, one after the other: there is no request for many. */
export function restoreEntries(type: string, ids: readonly string[]): Promise<ChunkResult> {
  return oneByOne(ids, (identifier) =>
    call(api.POST('/admin/api/trash/{collection}/{identifier}/restore', { params: { path: { collection: type, identifier } } })),
  );
}

/** Makes a copy of some entries. */
export function duplicateEntries(type: string, ids: readonly string[]): Promise<ChunkResult> {
  return oneByOne(ids, (identifier) =>
    call(api.POST('/admin/api/content/{collection}/{identifier}/duplicate', { params: { path: { collection: type, identifier } } })),
  );
}

async function oneByOne(ids: readonly string[], act: (id: string) => Promise<unknown>): Promise<ChunkResult> {
  const done: string[] = [];
  const failed: Record<string, string> = {};
  for (const id of ids) {
    try {
      await act(id);
      done.push(id);
    } catch (error) {
      if (!(error instanceof ApiError) || error.offline || error.status === 401) throw error;
      failed[id] = error.reasons;
    }
  }
  return { done, failed };
}

/** Some entries as they are, to be able to bring that back. */
export async function fetchEntriesById(type: string, ids: readonly string[], field: string, locale: string): Promise<readonly AdminEntry[]> {
  const { data } = await fetchEntries(type, {
    'filter[id][in]': ids.join(),
    fields: field || 'title',
    limit: String(ids.length),
    ...(locale && { locale }),
  });
  return data;
}
