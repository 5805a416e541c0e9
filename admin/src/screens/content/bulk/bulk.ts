/** Changes of many entries: in chunks, each entry by itself, with what is needed to take them back. */
import type { AdminEntry } from '~/api/schema';
import type { Messages, Templates, Translator } from '~/i18n/server';
import { hasEnded } from '~/ui/status';

/** The server's answer about one chunk, see docs/API.md "Entries". */
export interface ChunkResult {
  done: readonly string[];
  /** The reasons for which entries were not changed, by id. */
  failed: Readonly<Record<string, string>>;
}

export interface BulkOutcome {
  done: readonly string[];
  failed: Readonly<Record<string, string>>;
  /** The error that ended it early: a server that is away, say. */
  error?: unknown;
  /** Entries that were not reached. */
  left: readonly string[];
}

interface Options {
  size: number;
  /** Told after each chunk how many entries are through. */
  onProgress?: (through: number) => void;
  signal?: AbortSignal;
}

/** Does something with all ids, a chunk after the other, until it is through, fails or is stopped. */
export async function runInChunks(
  ids: readonly string[],
  { size, onProgress, signal }: Options,
  step: (chunk: readonly string[]) => Promise<ChunkResult>,
): Promise<BulkOutcome> {
  const done: string[] = [];
  const failed: Record<string, string> = {};
  for (let at = 0; at < ids.length; at += size) {
    if (signal?.aborted) return { done, failed, left: ids.slice(at) };
    try {
      const result = await step(ids.slice(at, at + size));
      done.push(...result.done);
      Object.assign(failed, result.failed);
    } catch (error) {
      return { done, failed, error, left: ids.slice(at) };
    }
    onProgress?.(Math.min(at + size, ids.length));
  }
  return { done, failed, left: [] };
}

/** The server's answer about a chunk. */
export interface BulkAnswer {
  errors: Readonly<Record<string, Messages>>;
  templates?: Readonly<Record<string, Templates>>;
}

/** The server's answer about a chunk in our terms: its errors are by id and then by value. */
export function toChunkResult(ids: readonly string[], { errors, templates = {} }: BulkAnswer, translator?: Translator): ChunkResult {
  const told = (id: string, fields: Messages) => Object.values(translator?.messages(fields, templates[id]) ?? fields).join(' ');
  const failed = Object.fromEntries(Object.entries(errors).map(([id, fields]) => [id, told(id, fields)]));
  return { done: ids.filter((id) => !(id in failed)), failed };
}

/** Values to be written to some entries. */
export interface Write {
  ids: string[];
  data: Record<string, unknown>;
}

/** Groups writes, so that entries that get the same values go together. */
export function groupWrites(writes: Iterable<readonly [id: string, data: Record<string, unknown>]>): Write[] {
  const groups = new Map<string, Write>();
  for (const [id, data] of writes) {
    const key = JSON.stringify(data);
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { ids: [id], data });
  }
  return [...groups.values()];
}

type Head = Pick<AdminEntry, 'status' | 'published_at' | 'unpublish_at'>;

/** Returns the change that publishes an entry at once: one that is to appear later loses its date, one that has ended its end. */
export function publishChange(entry: Head, now: Date): Record<string, unknown> {
  const later = entry.published_at !== null && new Date(entry.published_at) > now;
  return {
    status: 'published',
    ...(later && { published_at: null }),
    ...(hasEnded(entry.unpublish_at, now) && { unpublish_at: null }),
  };
}

/** Returns the change that restores the status and the end that an entry had. The date of publication stays unless publishing set it. */
export function restoreStatusChange(entry: Head, now: Date): Record<string, unknown> {
  const kept = entry.published_at !== null && new Date(entry.published_at) <= now;
  return {
    status: entry.status,
    ...(!kept && { published_at: entry.published_at }),
    ...(entry.unpublish_at && { unpublish_at: entry.unpublish_at }),
  };
}

/** Returns the change that restores the value that a field had in a locale; `null` where it was read from another one. */
export function restoreValueChange(entry: AdminEntry, field: string, locale: string, root: string): Record<string, unknown> {
  if (field === 'slug') return { slug: entry.slug };
  if (!locale || locale === root) return { [field]: (field === 'title' ? entry.title : entry.data[field]) ?? null };
  const own = entry.translations[locale];
  return { locale, [field]: (field === 'title' ? own?.title : own?.data[field]) ?? null };
}
