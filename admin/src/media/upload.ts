/** Uploads of this page: one queue for all places that files can be dropped at. */
import { useSyncExternalStore } from 'react';
import { api, call, currentWorkspace } from '~/api/client';
import { isApiError } from '~/api/error';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import { appQuery } from '~/api/session';
import type { MediaItem } from '~/api/schema';
import { sendForm } from '~/api/upload';
import { formatBytes, formatList, t } from '~/i18n';
import { acceptsFile } from './kinds';
import { refreshMedia } from './queries';
import { type NamedFile, type OnInstead, type Upload, type UploadedItem, type Send, uploadQueue, type Visibility } from './upload-queue';

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
  if (!isApiError(error)) return { message: t('general.failedHint'), canRetry: true };
  // One file is sent at a time, so whatever is wrong with values is wrong with it.
  return { message: Object.values(error.fields).join(' ') || error.message, canRetry: isPassing(error.status) };
});

/** Checks whether a request may come to something the next time: what is wrong with a file stays wrong. */
function isPassing(status: number): boolean {
  return status === 0 || status === 401 || status === 408 || status === 429 || status >= 500;
}

/** All uploads of this page, as they are now. */
export function useUploads(): readonly Upload[] {
  return useSyncExternalStore(uploads.subscribe, uploads.uploads);
}

interface UploadOptions {
  category?: string;
  visibility?: Visibility;
  /** Told when the user prefers the file that was there before; without it, this is not offered. */
  onInstead?: OnInstead | undefined;
  /** MIME patterns (`image/*`): other files are refused before they are sent. */
  accept?: readonly string[] | undefined;
  /** Lets the list of uploads ask for the alt text of pictures. */
  describes?: boolean;
}

/**
 * Uploads files into the current workspace and gives those that arrived, in order. What failed is
 * told by the tray, where it can be tried again.
 */
export async function uploadFiles(files: readonly File[], options: UploadOptions = {}): Promise<MediaItem[]> {
  return (await uploadEach(files, options)).flatMap((it) => it ?? []);
}

/** Uploads files and gives what each has become; nothing in the place of those that failed. */
export async function uploadEach(
  files: readonly File[],
  { category = '', visibility = 'public', onInstead, accept, describes = false }: UploadOptions = {},
): Promise<(MediaItem | undefined)[]> {
  if (files.length === 0) return [];
  const workspace = currentWorkspace();
  const to = { workspace, category, visibility, onInstead, describes };
  const over = await uploads.add(files.map((it) => named(it, accept)), to);
  const items = over.map((it) => it.item);
  if (items.some(Boolean)) await refreshMedia(workspace);
  return items;
}

/** Takes the file that had the same bytes before, and lets the copy go. */
export async function takeExisting({ id, workspace, item, onInstead }: Upload): Promise<void> {
  const { filename: copy, existing } = item ?? {};
  if (copy === undefined || existing === undefined || !onInstead) return;
  const { data } = await call(api.GET('/admin/api/media/{filename}', { params: { path: { filename: existing } } }));
  onInstead(copy, data);
  const params = { path: { filename: copy }, query: { guard: true } };
  // A copy that an entry shows by now stays, as does one that the user may not delete.
  await call(api.DELETE('/admin/api/media/{filename}', { params })).catch(() => undefined);
  uploads.clear([id]);
  await refreshMedia(workspace);
}

/** Browsers call every picture on the clipboard alike; with the time in it, names say more. */
function named(file: File, accept: readonly string[] | undefined): NamedFile {
  const pasted = file.name === 'image.png' && Date.now() - file.lastModified < 5000;
  const time = new Date(file.lastModified).toISOString().slice(0, 19).replaceAll(/[T:]/g, '-');
  const fits = acceptsFile({ mime: file.type, filename: file.name }, accept);
  const refused = fits ? tooLarge(file) : t('media.upload.notHere', { types: formatList(accept ?? []) });
  return { file, name: pasted ? `pasted-${time}.png` : file.name, refused };
}

/** Says that a file is larger than the server takes, if it is. */
export function tooLarge(file: File): string | undefined {
  const max = queryClient.getQueryData(appQuery.queryKey)?.limits.upload_bytes_max;
  return max && file.size > max ? t('media.upload.tooLarge', { max: formatBytes(max) }) : undefined;
}
