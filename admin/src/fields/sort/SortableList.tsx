/** Lists whose items can be put in another order: by dragging, and by keyboard with spoken progress. */
import {
  type Announcements, closestCenter, DndContext, type DragEndEvent, type DraggableAttributes, KeyboardSensor, PointerSensor,
  type UniqueIdentifier, useSensor, useSensors,
} from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useId, useMemo } from 'react';
import { t } from '~/i18n';
import classes from './sort.module.css';

interface SortableListProps {
  keys: readonly string[];
  onMove: (from: number, to: number) => void;
  /** Returns the name of an item, for announcing its moves. */
  nameOf: (key: string) => string;
  layout?: 'rows' | 'grid';
  children: ReactNode;
}

// The same objects each time: other ones would draw every item anew.
const POINTER = { activationConstraint: { distance: 5 } };
const KEYBOARD = { coordinateGetter: sortableKeyboardCoordinates };

/** Gives the order of its items to whoever drags {@link useSortableItem} handles. */
export function SortableList({ keys, onMove, nameOf, layout = 'rows', children }: SortableListProps) {
  const id = useId();
  const sensors = useSensors(
    useSensor(PointerSensor, POINTER),
    useSensor(KeyboardSensor, KEYBOARD),
  );
  function onDragEnd({ active, over }: DragEndEvent) {
    const [from, to] = [keys.indexOf(String(active.id)), over ? keys.indexOf(String(over.id)) : -1];
    if (from >= 0 && to >= 0 && from !== to) onMove(from, to);
  }
  const accessibility = {
    announcements: announcements(keys, nameOf),
    screenReaderInstructions: { draggable: t('fields.sort.instructions') },
  };
  const items = useMemo(() => [...keys], [keys]);
  return (
    <DndContext id={id} sensors={sensors} collisionDetection={closestCenter} onDragEnd={onDragEnd} accessibility={accessibility}>
      <SortableContext items={items} strategy={layout === 'grid' ? rectSortingStrategy : verticalListSortingStrategy}>
        {children}
      </SortableContext>
    </DndContext>
  );
}

/** Returns the announcements for an item that is moved by keyboard or mouse. */
export function announcements(keys: readonly string[], nameOf: (key: string) => string): Announcements {
  const told = (of: UniqueIdentifier, at: UniqueIdentifier) => ({
    name: nameOf(String(of)),
    position: keys.indexOf(String(at)) + 1,
    count: keys.length,
  });
  return {
    onDragStart: ({ active }) => t('fields.sort.start', told(active.id, active.id)),
    onDragOver: ({ active, over }) => (over ? t('fields.sort.over', told(active.id, over.id)) : undefined),
    onDragEnd: ({ active, over }) => t('fields.sort.end', told(active.id, over?.id ?? active.id)),
    onDragCancel: ({ active }) => t('fields.sort.cancel', told(active.id, active.id)),
  };
}

interface SortableItem {
  ref: (node: HTMLElement | null) => void;
  style: CSSProperties;
  dragging: boolean;
  handle: HandleProps;
}

export interface HandleProps {
  activator: (node: HTMLElement | null) => void;
  attributes: DraggableAttributes;
  listeners: ReturnType<typeof useSortable>['listeners'];
}

/** One item of a {@link SortableList}. */
export function useSortableItem(key: string, disabled = false): SortableItem {
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } = useSortable({
    id: key,
    disabled,
    attributes: { roleDescription: t('fields.sort.role') },
  });
  return {
    ref: setNodeRef,
    // Items keep their size while others of another size pass.
    style: { transform: CSS.Translate.toString(transform), transition },
    dragging: isDragging,
    handle: { activator: setActivatorNodeRef, attributes, listeners },
  };
}

/** The handle of an item; Space picks it up and puts it down, the arrow keys move it. */
export function Handle({ handle: { activator, attributes, listeners }, name }: { handle: HandleProps; name: string }) {
  return (
    <ActionIcon
      ref={activator}
      {...attributes}
      {...listeners}
      className={classes.handle}
      size="md"
      aria-label={t('fields.sort.handle', { name })}
    >
      <IconGripVertical size={16} aria-hidden />
    </ActionIcon>
  );
}
