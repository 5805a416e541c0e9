/** The details of a file that people write: its texts, and the part of a picture that stays in view. */
import { api, call } from '~/api/client';
import type { MediaItem } from '~/api/schema';
import { queryClient } from '~/api/query';
import { t } from '~/i18n';
import { showError, showUndo } from '~/ui/feedback';
import { mediaItemQuery, refreshMedia } from './queries';

/** The part of a media item that people write. */
export type Details = Pick<MediaItem, 'alt' | 'decorative' | 'title' | 'focus' | 'crop'>;

/** Stores a part of what is said of a file, and returns true if that worked; what held before can be brought back. */
export async function saveDetails(workspace: string, item: MediaItem, change: Partial<Details>, done: string): Promise<boolean> {
  const before = Object.fromEntries(Object.keys(change).map((key) => [key, item[key as keyof Details]])) as Partial<Details>;
  let saved = false;
  try {
    await putDetails(workspace, item.filename, change);
    saved = true;
    showUndo(done, async () => {
      await putDetails(workspace, item.filename, before);
      await refreshMedia(workspace);
    });
  } catch (error) {
    showError(error);
  }
  await refreshMedia(workspace);
  return saved;
}

async function putDetails(workspace: string, filename: string, body: Partial<Details>): Promise<void> {
  const { data } = await call(api.PUT('/admin/api/media/{filename}/meta', { params: { path: { filename } }, body }));
  queryClient.setQueryData(mediaItemQuery(workspace, filename).queryKey, data);
}

/** Says what of a picture stays in view. */
export function saveFraming(workspace: string, item: MediaItem, framing: Partial<Pick<Details, 'focus' | 'crop'>>): Promise<boolean> {
  return saveDetails(workspace, item, framing, t('media.framed'));
}

/** Describes a picture. A picture with a description is not only decorative. */
export function saveAlt(workspace: string, item: MediaItem, alt: string): Promise<boolean> {
  const change = { alt, ...(item.decorative && alt && { decorative: false }) };
  return saveDetails(workspace, item, change, t('picture.altSaved', { name: item.filename }));
}

/** Says whether a picture needs a description. */
export function saveDecorative(workspace: string, item: MediaItem, decorative: boolean): Promise<boolean> {
  return saveDetails(workspace, item, { decorative }, t(decorative ? 'picture.nowDecorative' : 'picture.notDecorative', { name: item.filename }));
}
