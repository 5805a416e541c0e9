/** The requests behind changes of many entries. */
import { api, call, request } from '~/api/client';
import { ApiError } from '~/api/error';
import type { AdminEntry } from '~/api/schema';
import { fetchEntries } from '../useEntries';
import { type ChunkResult, groupWrites, toChunkResult } from './bulk';

type Errors = Record<string, Record<string, string>>;

/** Writes the same values to some entries. */
export async function writeSameValues(type: string, ids: readonly string[], data: Record<string, unknown>): Promise<ChunkResult> {
  const answer = await request<{ data: { errors: Errors } }>(`/admin/api/content/${type}/bulk`, { method: 'PATCH', json: { ids, data } });
  return toChunkResult(ids, answer.data.errors);
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
export async function trashEntries(type: string, ids: readonly string[]): Promise<ChunkResult> {
  const answer = await request<{ data: { errors: Errors } }>(`/admin/api/content/${type}/bulk`, { method: 'DELETE', json: { ids } });
  return toChunkResult(ids, answer.data.errors);
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
