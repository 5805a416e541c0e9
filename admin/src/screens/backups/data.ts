import { queryOptions } from '@tanstack/react-query';
import { api, asRefusal, call, headers } from '~/api/client';
import { ApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import type { Backup, BackupCreate, BackupPart, BackupRestored, BackupUpload } from '~/api/schema';
import { at } from '~/base';
import { changesOf, type PartChange, stem } from './parts';

export const backupsQuery = queryOptions({
  queryKey: ['backups'],
  queryFn: async () => (await call(api.GET('/admin/api/backups'))).data,
});

/** What is in a backup; the server reads all of it, so it is asked once. */
export function inspectionQuery(name: string) {
  return queryOptions({
    queryKey: ['backups', name, 'inspection'],
    queryFn: async () =>
      (await call(api.GET('/admin/api/backups/{name}.zip/inspect', { params: { path: { name: stem(name) } } }))).data,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

function reread(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['backups'], exact: true });
}

export async function createBackup(body: BackupCreate): Promise<Backup> {
  const { data } = await call(api.POST('/admin/api/backups', { body }));
  await reread();
  return data;
}

export async function deleteBackup(name: string): Promise<void> {
  await call(api.DELETE('/admin/api/backups/{name}.zip', { params: { path: { name: stem(name) } } }));
  await reread();
}

/** Where the bytes of a backup are. */
export function downloadUrl(name: string): string {
  return at(`/admin/api/backups/${encodeURIComponent(stem(name))}.zip/download`);
}

/** What is put back, and how. */
export interface RestorePlan {
  parts: BackupPart[];
  /** All that are in the backup when left out, and what belongs to none of them. */
  workspaces: string[] | undefined;
  overwrite: boolean;
}

async function restore(name: string, body: RestorePlan & { dry_run: boolean }): Promise<BackupRestored> {
  const params = { path: { name: stem(name) } };
  return (await call(api.POST('/admin/api/backups/{name}.zip/restore', { params, body }))).data;
}

/** What a restoration would come to, and the server's own words on what is wrong. */
export interface Rehearsal {
  changes: PartChange[];
  problems: BackupRestored['problems'];
}

/** Asks what would happen. Nothing changes. */
export async function rehearse(name: string, plan: RestorePlan): Promise<Rehearsal> {
  const adding = await restore(name, { ...plan, overwrite: false, dry_run: true });
  const overwriting = plan.overwrite ? await restore(name, { ...plan, dry_run: true }) : undefined;
  return { changes: changesOf(plan.parts, adding, overwriting), problems: (overwriting ?? adding).problems };
}

/** Puts a backup back. Whatever was shown before may be different now. */
export async function restoreBackup(name: string, plan: RestorePlan): Promise<BackupRestored> {
  const done = await restore(name, { ...plan, dry_run: false });
  await queryClient.invalidateQueries();
  return done;
}

/**
 * Sends an archive and tells how far it is, from 0 to 1; `fetch` cannot tell that. Given up when the
 * signal says so.
 */
export function uploadBackup(file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<BackupUpload> {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', at('/admin/api/backups/upload'));
    for (const [name, value] of Object.entries(headers())) sending.setRequestHeader(name, value);
    sending.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    });
    sending.addEventListener('load', () => {
      const answer = new Response(sending.responseText, { status: sending.status });
      const body: unknown = parsed(sending.responseText);
      if (!answer.ok) reject(new ApiError(answer.status, asRefusal(body, answer)));
      else resolve((body as { data: BackupUpload }).data);
    });
    sending.addEventListener('error', () =>
      reject(new ApiError(0, { code: 'offline', message: 'The server cannot be reached.' })),
    );
    sending.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    signal.addEventListener('abort', () => sending.abort());
    const form = new FormData();
    form.append('backup', file, file.name);
    sending.send(form);
  }).then(async (done) => {
    await reread();
    return done as BackupUpload;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
