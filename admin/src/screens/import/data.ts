import { queryClient } from '~/api/query';
import type { components } from '~/api/schema';
import { sendForm } from '~/api/upload';

export type ImportReport = components['schemas']['Import'];
export type ImportRemark = components['schemas']['ImportRemark'];

/** The options of an import, as the server takes them. */
export interface ImportOptions {
  kind: string;
  type?: string | undefined;
  map?: Readonly<Record<string, string>> | undefined;
  key?: string | undefined;
  status?: string | undefined;
  locale?: string | undefined;
  from?: string | undefined;
}

interface SendImport {
  file: File;
  options: ImportOptions;
  dryRun: boolean;
  /** Told how much of the file has been sent, from 0 to 1. */
  onProgress: (part: number) => void;
  signal: AbortSignal;
}

/** Imports a file, or asks what that would do. Nothing is kept on the server in between. */
export async function sendImport({ file, options, dryRun, onProgress, signal }: SendImport): Promise<ImportReport> {
  const form = new FormData();
  form.append('options', JSON.stringify(options));
  form.append('source', file, file.name);
  const report = (loaded: number, total: number) => onProgress(total > 0 ? loaded / total : 0);
  const path = `/admin/api/imports${dryRun ? '?dry_run=1' : ''}`;
  const { data } = await sendForm<{ data: ImportReport }>(path, form, { onProgress: report, signal });
  if (!dryRun) await queryClient.invalidateQueries();
  return data;
}
