/** Uploads of this page: one queue for all places that files can be dropped at. */
import { useSyncExternalStore } from 'react';
import { currentWorkspace } from '~/api/client';
import { isApiError } from '~/api/error';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import { appQuery } from '~/api/session';
import type { MediaItem } from '~/api/schema';
import { sendForm } from '~/api/upload';
import { formatBytes, t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { refreshMedia } from './queries';
import { type NamedFile, type Upload, type Send, uploadQueue, type Visibility } from './upload-queue';

/** Sends one file to the library of its workspace. */
const sendFile: Send = (upload, onProgress) => {
  const form = new FormData();
  if (upload.category) form.append('category', upload.category);
  // In the same form as the file: it is never seen by everybody, not even for a moment.
  if (upload.visibility === 'private') form.append('visibility', upload.visibility);
  form.append('media[]', upload.file, upload.name);
  const abort = new AbortController();
  const sent = sendForm<Uploaded>('/admin/api/media', form, {
    onProgress,
    signal: abort.signal,
    headers: { 'X-Service-Workspace': upload.workspace },
  });
  return { done: sent.then(firstItem, reportFailure), abort: () => abort.abort() };
};

/** The answer to an upload, with the files whose bytes were there already. */
interface Uploaded {
  data: MediaItem[];
  meta?: { existing?: { filename: string; existing: string }[] };
}

function firstItem({ data: [item], meta }: Uploaded): MediaItem {
  if (!item) throw new Error('The server answered without a file.');
  for (const { existing } of meta?.existing ?? []) showDone(t('media.upload.existing', { name: existing }));
  return item;
}

function reportFailure(error: unknown): never {
  // Whoever is not logged in any more is asked to by the next ordinary request.
  if (isApiError(error) && error.status === 401) void queryClient.invalidateQueries({ queryKey: queryKeys.me });
  throw error;
}

/** The queue itself, to cancel, retry and clear. */
export const uploads = uploadQueue(sendFile, (error) => {
  if (!isApiError(error)) return t('general.failedHint');
  // One file is sent at a time, so whatever is wrong with values is wrong with it.
  return Object.values(error.fields).join(' ') || error.message;
});

/** All uploads of this page, as they are now. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.uploads);
}

/**
 * Uploads files into the current workspace and gives those that arrived, in order. What failed is
 * told by the tray, where it can be tried again.
 */
export async function uploadFiles(
  files: readonly File[],
  { category = '', visibility = 'public' as Visibility } = {},
): Promise<MediaItem[]> {
  if (files.length === 0) return [];
  const workspace = currentWorkspace();
  const over = await uploads.add(files.map(named), { workspace, category, visibility });
  const items = over.flatMap((it) => it.item ?? []);
  if (items.length > 0) await refreshMedia(workspace);
  return items;
}

/** Browsers call every picture on the clipboard alike; with the time in it, names say more. */
function named(file: File): NamedFile {
  const pasted = file.name === 'image.png' && Date.now() - file.lastModified < 5000;
  const time = new Date(file.lastModified).toISOString().slice(0, 19).replaceAll(/[T:]/g, '-');
  return { file, name: pasted ? `pasted-${time}.png` : file.name, refused: tooLarge(file) };
}

function tooLarge(file: File): string | undefined {
  const max = queryClient.getQueryData(appQuery.queryKey)?.limits.upload_bytes_max;
  return max && file.size > max ? t('media.upload.tooLarge', { max: formatBytes(max) }) : undefined;
}
