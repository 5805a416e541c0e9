/**
 * The titles of entries, for the many places that know only their ids. Ids that are asked for in
 * the same moment are asked of the server together.
 */
import { queryOptions, useQueries } from '@tanstack/react-query';
import { request } from './client';
import { isApiError } from './error';
import { splitForRequests } from './id-lists';
import { queryKeys } from './keys';
import type { AdminEntry } from './schema';

/** The part of an entry that a reference to it shows. */
export type EntryBrief = Pick<AdminEntry, 'id' | 'title' | 'slug' | 'status' | 'unpublish_at'> & Partial<Pick<AdminEntry, 'published_at'>>;

type Fetch = (type: string, ids: readonly string[]) => Promise<readonly EntryBrief[]>;

interface Waiting {
  id: string;
  resolve: (brief: EntryBrief | null) => void;
  reject: (error: unknown) => void;
}

/** Collects ids for a moment and fetches them together; an id that leads nowhere gives `null`. */
export function createBatchLoader(fetch: Fetch, wait = 8): (type: string, id: string) => Promise<EntryBrief | null> {
  const queues = new Map<string, Waiting[]>();

  async function send(type: string, waiting: readonly Waiting[]) {
    try {
      const ids = [...new Set(waiting.map((it) => it.id))];
      const found = new Map((await fetch(type, ids)).map((it) => [it.id, it]));
      for (const it of waiting) it.resolve(found.get(it.id) ?? null);
    } catch (error) {
      for (const it of waiting) it.reject(error);
    }
  }

  function flush(key: string, type: string) {
    const waiting = queues.get(key) ?? [];
    queues.delete(key);
    for (const part of splitForRequests(waiting)) void send(type, part);
  }

  return (type, id) =>
    new Promise((resolve, reject) => {
      const queue = queues.get(type);
      if (queue) {
        queue.push({ id, resolve, reject });
        return;
      }
      queues.set(type, [{ id, resolve, reject }]);
      setTimeout(() => flush(type, type), wait);
    });
}

const load = createBatchLoader(async (type, ids) => {
  const query = new URLSearchParams({ 'filter[id][in]': ids.join(','), fields: 'title', limit: String(ids.length) });
  try {
    return (await request<{ data: AdminEntry[] }>(`/admin/api/content/${encodeURIComponent(type)}`, { query })).data;
  } catch (error) {
    // A type that is gone, or that is not for this user: nothing of it is there.
    if (isApiError(error) && (error.status === 404 || error.status === 403)) return [];
    throw error;
  }
});

/** The title of one entry; `null` when it does not exist, or not for this user. */
export function briefQuery(workspace: string, type: string, id: string) {
  return queryOptions({
    queryKey: queryKeys.entryBrief(workspace, type, id),
    queryFn: () => load(type, id),
    staleTime: 60_000,
    enabled: type !== '' && id !== '',
  });
}

/** Returns the titles of entries by id; an id is missing while it loads. */
export function useBriefs(workspace: string, type: string, ids: readonly string[]): ReadonlyMap<string, EntryBrief | null> {
  return useQueries({
    queries: ids.map((id) => briefQuery(workspace, type, id)),
    combine: (results) => {
      const briefs = new Map<string, EntryBrief | null>();
      for (const [index, { data }] of results.entries()) {
        const id = ids[index];
        if (id !== undefined && data !== undefined) briefs.set(id, data);
      }
      return briefs;
    },
  });
}
