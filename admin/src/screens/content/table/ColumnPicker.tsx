import {
  type Announcements, closestCenter, DndContext, type DragEndEvent, KeyboardSensor, PointerSensor, type UniqueIdentifier, useSensor,
  useSensors,
} from '@dnd-kit/core';
import { arrayMove, SortableContext, sortableKeyboardCoordinates, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { ActionIcon, Button, Checkbox, Divider, Popover, ScrollArea, Text, Tooltip } from '@mantine/core';
import { IconColumns3, IconGripVertical } from '@tabler/icons-react';
import { t } from '~/i18n';
import classes from '../content.module.css';
import type { ListField } from '../fields';
import { useList } from '../list-context';
import type { ListLayout } from './useListLayout';

/** The choice of columns and of their order. */
export function ColumnPicker({ layout }: { layout: ListLayout }) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={t('content.columns')}>
          <ActionIcon variant="default" size="lg" aria-label={t('content.columns')}>
            <IconColumns3 size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p="xs" w={280}>
        <Choices layout={layout} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ layout }: { layout: ListLayout }) {
  const { fields } = useList();
  const shown = layout.columns.map((it) => it.key);
  const hidden = fields.filter((it) => !shown.includes(it.key) && !it.definition.hidden);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  function onDragEnd({ active, over }: DragEndEvent) {
    const from = shown.indexOf(String(active.id));
    const to = shown.indexOf(String(over?.id));
    if (from >= 0 && to >= 0 && from !== to) layout.setColumns(arrayMove(shown, from, to));
  }
  return (
    <>
      <ScrollArea.Autosize mah="60vh" type="auto">
        <DndContext
          sensors={sensors}
          collisionDetection={closestCenter}
          onDragEnd={onDragEnd}
          accessibility={{ announcements: spoken(layout.columns), screenReaderInstructions: { draggable: t('content.columnsHint') } }}
        >
          <SortableContext items={shown} strategy={verticalListSortingStrategy}>
            <ul className={classes.columns}>
              {layout.columns.map((field) => (
                <ShownColumn
                  key={field.key}
                  field={field}
                  onHide={() => layout.setColumns(shown.filter((it) => it !== field.key))}
                />
              ))}
            </ul>
          </SortableContext>
        </DndContext>
        {hidden.length > 0 && (
          <>
            <Divider my={6} ms={8} label={t('content.hiddenColumns')} labelPosition="left" />
            <ul className={classes.columns}>
              {hidden.map((field) => (
                <li key={field.key} className={classes.column}>
                  <Checkbox label={field.label} checked={false} onChange={() => layout.setColumns([...shown, field.key])} />
                </li>
              ))}
            </ul>
          </>
        )}
      </ScrollArea.Autosize>
      <Button variant="subtle" size="compact-sm" mt={6} onClick={() => layout.setColumns(undefined)}>
        {t('content.resetColumns')}
      </Button>
      <Text size="xs" c="dimmed" px={8} pt={4}>
        {t('content.columnsHint')}
      </Text>
    </>
  );
}

/** Returns the announcement for those who do not see a column move. */
function spoken(columns: readonly ListField[]): Announcements {
  const at = (id: UniqueIdentifier | undefined) => columns.findIndex((it) => it.key === id);
  const label = (id: UniqueIdentifier) => columns[at(id)]?.label ?? String(id);
  const place = (id: UniqueIdentifier, over: UniqueIdentifier | undefined) =>
    t('content.columnAt', { column: label(id), place: at(over) + 1, count: columns.length });
  return {
    onDragStart: ({ active }) => t('content.columnTaken', { column: label(active.id) }),
    onDragOver: ({ active, over }) => place(active.id, over?.id),
    onDragEnd: ({ active, over }) => place(active.id, over?.id),
    onDragCancel: ({ active }) => t('content.columnKept', { column: label(active.id) }),
  };
}

function ShownColumn({ field, onHide }: { field: ListField; onHide: () => void }) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({ id: field.key });
  const style = { transform: CSS.Translate.toString(transform), transition };
  return (
    <li ref={setNodeRef} style={style} className={classes.column} data-dragging={isDragging || undefined}>
      {/* The title is the way into the entry, and so stays. */}
      <Checkbox label={field.label} checked onChange={onHide} disabled={field.key === 'title'} />
      <ActionIcon
        ref={setActivatorNodeRef}
        {...attributes}
        {...listeners}
        className={classes.grip}
        aria-label={t('content.moveColumn', { column: field.label })}
      >
        <IconGripVertical size={16} aria-hidden />
      </ActionIcon>
    </li>
  );
}
