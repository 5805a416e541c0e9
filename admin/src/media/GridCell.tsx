import { useDraggable } from '@dnd-kit/core';
import type { MediaItem } from '~/api/schema';
import classes from './MediaGrid.module.css';
import { MediaTile } from './MediaTile';

interface GridCellProps {
  item: MediaItem;
  index: number;
  mark: boolean | number;
  taken: boolean;
  open: boolean;
  tabbable: boolean;
  draggable: boolean;
  onFocus: () => void;
}

/** A cell of the grid. Its keys and clicks are the grid's; dragging is for the pointer only, menus do the same. */
export function GridCell({ item, index, mark, taken, open, tabbable, draggable, onFocus }: GridCellProps) {
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: `file:${item.filename}`, data: { file: item.filename }, disabled: !draggable });
  return (
    <div
      ref={setNodeRef}
      role="gridcell"
      data-index={index}
      data-filename={item.filename}
      aria-selected={mark !== false}
      aria-disabled={taken || undefined}
      aria-current={open || undefined}
      tabIndex={tabbable ? 0 : -1}
      className={classes.cell}
      data-marked={mark !== false || undefined}
      data-dragging={isDragging || undefined}
      onFocus={onFocus}
      onMouseDown={listeners?.onMouseDown as React.MouseEventHandler | undefined}
    >
      <MediaTile item={item} mark={mark} />
    </div>
  );
}
