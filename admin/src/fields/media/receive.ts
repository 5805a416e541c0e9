import type { MediaItem } from '~/api/schema';
import { uploadFiles } from '~/media/upload';
import type { OnInstead } from '~/media/upload-queue';

/** Uploads files into the library. The list of uploads says which of them did not arrive, and why. */
export function receiveFiles(files: readonly File[], onInstead?: OnInstead): Promise<MediaItem[]> {
  return uploadFiles(files, { onInstead });
}
