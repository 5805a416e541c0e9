/** The replacement of the bytes of a file, and the return of earlier ones. */
import { useState } from 'react';
import { api, call } from '~/api/client';
import type { MediaItem } from '~/api/schema';
import { queryClient } from '~/api/query';
import { sendForm } from '~/api/upload';
import { t } from '~/i18n';
import { refreshMedia, revisionsQuery } from './queries';
import { tooLarge } from './upload';
import { Refused, showBusy, showDone, showError, showUndo } from '~/ui/feedback';
import { chooseFiles } from './choose-files';
import { extensionOf } from './kinds';

/** A replacement of a file, before and while it is sent. */
export interface Replacement {
  replace: (files: readonly File[]) => void;
  isSending: boolean;
  /** The share of the bytes that is sent, in percent. */
  percent: number;
}

/** Sends other bytes for a file. The library shows them at once: their address has their checksum. */
export function useReplacement(workspace: string, item: MediaItem): Replacement {
  const [percent, setPercent] = useState<number>();
  const replace = async (files: readonly File[]) => {
    if (files.length === 0) return;
    setPercent(0);
    await replaceFile(workspace, item, files, setPercent);
    setPercent(undefined);
  };
  return { replace: (files) => void replace(files), isSending: percent !== undefined, percent: percent ?? 0 };
}

/** Puts other bytes in the place of those of a file, and tells what became of it. */
async function replaceFile(workspace: string, item: MediaItem, files: readonly File[], onPercent: (percent: number) => void): Promise<void> {
  const [file] = files;
  if (!file) return;
  try {
    if (files.length > 1) throw new Refused(t('media.replace.one'));
    const refused = tooLarge(file);
    if (refused) throw new Refused(refused);
    await tellReplaced(workspace, item, await sendReplacement(workspace, item, file, onPercent));
  } catch (error) {
    showError(error);
  }
  await refreshMedia(workspace);
}

/** Returns the files that can replace one, for the dialog of the browser: its name says what it is. */
export function acceptedReplacements({ filename, mime }: MediaItem): string {
  const extension = extensionOf(filename);
  return extension ? `${mime},.${extension}` : mime;
}

/** Asks for a file whose bytes take the place of those of this one. */
export function chooseReplacement(workspace: string, item: MediaItem): void {
  chooseFiles({ accept: acceptedReplacements(item) }, (files) => {
    const finish = showBusy(t('picture.replacing', { name: item.filename }));
    void replaceFile(workspace, item, files, () => {}).finally(finish);
  });
}

async function sendReplacement(
  workspace: string,
  { filename, etag }: MediaItem,
  file: File,
  onPercent: (percent: number) => void,
): Promise<MediaItem> {
  const form = new FormData();
  form.append('media', file, file.name);
  const { data } = await sendForm<{ data: MediaItem }>(`/admin/api/media/${encodeURIComponent(filename)}`, form, {
    method: 'PUT',
    onProgress: (loaded, total) => onPercent(total > 0 ? (100 * loaded) / total : 0),
    signal: new AbortController().signal,
    // Nobody replaces a file that they have not seen.
    headers: { 'X-Service-Workspace': workspace, 'If-Match': `"${etag}"` },
  });
  return data;
}

/** Says what was done, and offers to take it back where the earlier bytes are kept. */
async function tellReplaced(workspace: string, before: MediaItem, after: MediaItem): Promise<void> {
  const { filename } = after;
  if (after.etag === before.etag) return showDone(t('media.replace.same', { name: filename }));
  await refreshMedia(workspace);
  const [newest] = await queryClient.fetchQuery(revisionsQuery(workspace, filename));
  const done = t('media.replaced', { name: filename });
  if (!newest) return showDone(done);
  showUndo(done, async () => {
    await sendRestore(filename, newest.id);
    await refreshMedia(workspace);
  });
}

/** Brings earlier bytes of a file back. */
export async function restoreRevision(workspace: string, filename: string, revision: string): Promise<void> {
  try {
    await sendRestore(filename, revision);
    showDone(t('media.revision.restored', { name: filename }));
  } catch (error) {
    showError(error);
  }
  await refreshMedia(workspace);
}

function sendRestore(filename: string, revision: string) {
  const params = { path: { filename, revision } };
  return call(api.POST('/admin/api/media/{filename}/revisions/{revision}/restore', { params }));
}
