import { closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import { t } from '~/i18n';
import { restoreLostFocus } from '~/ui/lost-focus';
import classes from './types.module.css';

interface SortableProps {
  ids: readonly string[];
  labelOf: (id: string) => string;
  onMove: (id: string, to: number) => void;
  children: ReactNode;
}

/** A list that can be brought into another order: by pointer, and by keyboard at the handle. */
export function Sortable({ ids, labelOf, onMove, children }: SortableProps) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const place = (id: string | number | undefined) => (id === undefined ? 0 : ids.indexOf(String(id)) + 1);
  const end = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) onMove(String(active.id), ids.indexOf(String(over.id)));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      onDragEnd={end}
      accessibility={{
        screenReaderInstructions: { draggable: t('types.drag.help') },
        announcements: {
          onDragStart: ({ active }) => t('types.drag.start', { name: labelOf(String(active.id)) }),
          onDragOver: ({ active, over }) =>
            t('types.drag.over', { name: labelOf(String(active.id)), place: place(over?.id), count: ids.length }),
          onDragEnd: ({ active, over }) => t('types.drag.end', { name: labelOf(String(active.id)), place: place(over?.id) }),
          onDragCancel: ({ active }) => t('types.drag.cancel', { name: labelOf(String(active.id)) }),
        },
      }}
    >
      <SortableContext items={[...ids]} strategy={verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

/** Returns the properties of an item of such a list: its place while it is moved, and its handle. */
export function useSortableItem(id: string, label: string, disabled: boolean, onKeyDown?: (event: KeyboardEvent) => void) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id, disabled });
  const style: CSSProperties = { transform: CSS.Translate.toString(transform), transition };
  const handle = !disabled && (
    <ActionIcon
      ref={setActivatorNodeRef}
      {...attributes}
      {...listeners}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (!event.defaultPrevented) listeners?.onKeyDown?.(event);
      }}
      className={classes.handle}
      aria-label={t('types.drag.handle', { name: label })}
    >
      <IconGripVertical size={16} aria-hidden />
    </ActionIcon>
  );
  return { item: { ref: setNodeRef, style, 'data-dragging': isDragging || undefined }, handle };
}

/** Alt+↑ and Alt+↓ move an item; the focus stays where it was in it. */
export function moveKeys(index: number, onMove: (to: number) => void) {
  return (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    event.stopPropagation();
    const focused = document.activeElement;
    onMove(index + (event.key === 'ArrowUp' ? -1 : 1));
    // The element may lose the focus when it changes its place in the page.
    restoreLostFocus(() => (focused instanceof HTMLElement ? focused : null));
  };
}
