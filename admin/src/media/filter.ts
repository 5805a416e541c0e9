/** The filters and the sorting of media lists. */
import type { MediaItem } from '~/api/schema';
import { type MediaClass, mediaClass } from './kinds';

/** The keys that media lists can be sorted by; the first is the default. */
export const MEDIA_SORTS = ['-uploaded_at', 'uploaded_at', 'name', '-name', '-size', 'size'] as const;
/** A sort key, with `-` where it descends. */
type MediaSort = (typeof MEDIA_SORTS)[number];

/** The filter of a list of files, and its order. */
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

/** Checks whether a file is a picture that has no alternative text and needs one. */
export function lacksAlt(item: MediaItem): boolean {
  return mediaClass(item.mime) === 'image' && item.alt === '' && !item.decorative;
}
