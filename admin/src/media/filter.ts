/** What lists of media can be asked for. */
import type { MediaItem } from '~/api/schema';
import { type MediaClass, mediaClass } from './kinds';

/** What lists of media can be sorted by; the first is how they are unless something else is asked for. */
export const MEDIA_SORTS = ['-uploaded_at', 'uploaded_at', 'name', '-name', '-size', 'size'] as const;
/** A sort key, with `-` where it descends. */
export type MediaSort = (typeof MEDIA_SORTS)[number];

/** Which files a list is to have, and in what order. */
export interface MediaFilter {
  q?: string | undefined;
  /** With all below it; empty for files without one; `undefined` for all files. */
  category?: string | undefined;
  type?: MediaClass | undefined;
  visibility?: MediaItem['visibility'] | undefined;
  /** Only what no entry shows. */
  unused?: boolean | undefined;
  /** Only pictures that nobody has described. The server has no such filter. */
  missingAlt?: boolean | undefined;
  sort?: MediaSort | undefined;
}

/** Whether a file is a picture that has no alternative text. */
export function lacksAlt(item: MediaItem): boolean {
  return mediaClass(item.mime) === 'image' && item.alt === '';
}
