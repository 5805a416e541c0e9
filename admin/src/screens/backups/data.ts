import { queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { Backup, BackupCreate, BackupPart, BackupRestored, BackupUpload } from '~/api/schema';
import { sendForm } from '~/api/upload';
import { withBase } from '~/base';
import { changesOf, nameWithoutExtension, type PartChange } from './parts';

export const backupsQuery = queryOptions({
  queryKey: queryKeys.backups,
  queryFn: async () => (await call(api.GET('/admin/api/backups'))).data,
});

/** The content of a backup; the server reads all of it, so it is asked once. */
export function inspectionQuery(name: string) {
  return queryOptions({
    queryKey: queryKeys.inspection(name),
    queryFn: async () =>
      (await call(api.GET('/admin/api/backups/{name}.zip/inspect', { params: { path: { name: nameWithoutExtension(name) } } }))).data,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

function reread(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.backups, exact: true });
}

export async function createBackup(body: BackupCreate): Promise<Backup> {
  const { data } = await call(api.POST('/admin/api/backups', { body }));
  await reread();
  return data;
}

export async function deleteBackup(name: string): Promise<void> {
  await call(api.DELETE('/admin/api/backups/{name}.zip', { params: { path: { name: nameWithoutExtension(name) } } }));
  await reread();
}

/** Returns the address of a backup's bytes. */
export function downloadUrl(name: string): string {
  return withBase(`/admin/api/backups/${encodeURIComponent(nameWithoutExtension(name))}.zip/download`);
}

/** The parts to restore, and the way to do so. */
export interface RestorePlan {
  parts: BackupPart[];
  /** All that are in the backup when left out, and what belongs to none of them. */
  workspaces: string[] | undefined;
  overwrite: boolean;
}

async function restore(name: string, body: RestorePlan & { dry_run: boolean }): Promise<BackupRestored> {
  const params = { path: { name: nameWithoutExtension(name) } };
  return (await call(api.POST('/admin/api/backups/{name}.zip/restore', { params, body }))).data;
}

/** The result of a rehearsed restoration, and the server's messages about it. */
interface Rehearsal {
  changes: PartChange[];
  problems: BackupRestored['problems'];
}

/** Asks what would happen. Nothing changes. */
export async function rehearseRestore(name: string, plan: RestorePlan): Promise<Rehearsal> {
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

/** Sends an archive and tells how much of it has been sent, from 0 to 1. */
export async function uploadBackup(file: File, onProgress: (part: number) => void, signal: AbortSignal): Promise<BackupUpload> {
  const form = new FormData();
  form.append('backup', file, file.name);
  const report = (loaded: number, total: number) => onProgress(total > 0 ? loaded / total : 0);
  const { data } = await sendForm<{ data: BackupUpload }>('/admin/api/backups/upload', form, { onProgress: report, signal });
  await reread();
  return data;
}
