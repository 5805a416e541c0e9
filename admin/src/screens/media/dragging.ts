import type { MediaItem } from '~/api/schema';
import { canMove } from '~/media/categories';

/** The object that is being dragged: some files, or a category. */
export type Dragged = { files: readonly MediaItem[] } | { category: string };

/** Checks whether dropping it into a category (empty: the top, or none) changes anything. */
export function canDrop(dragged: Dragged, into: string): boolean {
  return 'files' in dragged ? dragged.files.some((it) => it.category !== into) : canMove(dragged.category, into);
}
