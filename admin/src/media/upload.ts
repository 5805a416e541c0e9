/** Uploads of this page: one queue for all places that files can be dropped at. */
import { useSyncExternalStore } from 'react';
import { api, call, currentWorkspace } from '~/api/client';
import { isApiError } from '~/api/error';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import { appQuery } from '~/api/session';
import type { MediaItem } from '~/api/schema';
import { sendForm } from '~/api/upload';
import { formatBytes, t } from '~/i18n';
import { showDone, showError } from '~/ui/feedback';
import { refreshMedia } from './queries';
import { type NamedFile, type Upload, type UploadedItem, type Send, uploadQueue, type Visibility } from './upload-queue';

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

function firstItem({ data: [item], meta }: Uploaded): UploadedItem {
  if (!item) throw new Error('The server answered without a file.');
  return { ...item, existing: meta?.existing?.find((it) => it.filename === item.filename)?.existing };
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

/** Puts the file that was there before in the place of a copy of it. */
export type OnInstead = (copy: string, existing: MediaItem) => void;

interface UploadOptions {
  category?: string;
  visibility?: Visibility;
  /** Told when the user prefers the file that was there before; without it, this is not offered. */
  onInstead?: OnInstead | undefined;
}

/**
 * Uploads files into the current workspace and gives those that arrived, in order. What failed is
 * told by the tray, where it can be tried again.
 */
export async function uploadFiles(
  files: readonly File[],
  { category = '', visibility = 'public', onInstead }: UploadOptions = {},
): Promise<MediaItem[]> {
  if (files.length === 0) return [];
  const workspace = currentWorkspace();
  const over = await uploads.add(files.map(named), { workspace, category, visibility });
  const items = over.flatMap((it) => it.item ?? []);
  for (const item of items) offerExisting(workspace, item, onInstead);
  if (items.length > 0) await refreshMedia(workspace);
  return items;
}

/** Says that the bytes of an upload were there before, and offers the file that has them. */
function offerExisting(workspace: string, { filename, existing }: UploadedItem, onInstead: OnInstead | undefined): void {
  if (existing === undefined) return;
  const use = onInstead && {
    label: t('media.upload.useExisting'),
    onClick: () => void takeExisting(workspace, filename, existing, onInstead).catch(showError),
  };
  showDone(t('media.upload.existing', { name: existing }), use);
}

async function takeExisting(workspace: string, copy: string, existing: string, onInstead: OnInstead): Promise<void> {
  const { data } = await call(api.GET('/admin/api/media/{filename}', { params: { path: { filename: existing } } }));
  onInstead(copy, data);
  const params = { path: { filename: copy }, query: { guard: true } };
  // A copy that an entry shows by now stays, as does one that the user may not delete.
  await call(api.DELETE('/admin/api/media/{filename}', { params })).catch(() => undefined);
  await refreshMedia(workspace);
}

/** Browsers call every picture on the clipboard alike; with the time in it, names say more. */
function named(file: File): NamedFile {
  const pasted = file.name === 'image.png' && Date.now() - file.lastModified < 5000;
  const time = new Date(file.lastModified).toISOString().slice(0, 19).replaceAll(/[T:]/g, '-');
  return { file, name: pasted ? `pasted-${time}.png` : file.name, refused: tooLarge(file) };
}

/** Says that a file is larger than the server takes, if it is. */
export function tooLarge(file: File): string | undefined {
  const max = queryClient.getQueryData(appQuery.queryKey)?.limits.upload_bytes_max;
  return max && file.size > max ? t('media.upload.tooLarge', { max: formatBytes(max) }) : undefined;
}
