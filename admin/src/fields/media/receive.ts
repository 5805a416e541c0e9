import { ApiError } from '~/api/error';
import type { MediaItem } from '~/api/schema';
import { type OnInstead, uploadFiles, uploads } from '~/media/upload';
import { showError } from '~/ui/feedback';

/** Uploads files into the library; says which of them did not arrive, and why. */
export async function receiveFiles(files: readonly File[], onInstead?: OnInstead): Promise<MediaItem[]> {
  const items = await uploadFiles(files, { onInstead });
  for (const upload of uploads.uploads()) {
    if (upload.state !== 'failed' || !files.includes(upload.file)) continue;
    showError(new ApiError(422, { code: 'upload_failed', message: `${upload.name}: ${upload.error ?? ''}` }));
  }
  return items;
}
