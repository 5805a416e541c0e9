import { DndContext, DragOverlay, type DragEndEvent, type DragStartEvent, MouseSensor, pointerWithin, useSensor, useSensors } from '@dnd-kit/core';
import { useDisclosure, useMediaQuery } from '@mantine/hooks';
import { useRef, useState } from 'react';
import type { MediaItem } from '~/api/schema';
import { useCan } from '~/api/session';
import { t } from '~/i18n';
import { categoryName } from '~/media/categories';
import { useIncomingFiles } from '~/media/incoming';
import type { GridHandle } from '~/media/MediaGrid';
import { useMediaList } from '~/media/queries';
import { uploadFiles } from '~/media/upload';
import type { Visibility } from '~/media/upload-queue';
import { Announce } from '~/ui/Announce';
import { NoPermission } from '~/ui/EmptyState';
import { showError } from '~/ui/feedback';
import { moveCategory, moveFiles, pathWithin } from './actions';
import { BulkBar } from './BulkBar';
import { Categories } from './Categories';
import { DeleteDialog } from './DeleteDialog';
import { canDrop, type Dragged } from './dragging';
import { Head } from './Head';
import classes from './Media.module.css';
import { PanelFrame } from './PanelFrame';
import { Results } from './Results';
import { Toolbar } from './Toolbar';
import { useMediaScreen } from './useMediaScreen';
import { useSelection } from './useSelection';

/** The media library. */
export default function Media() {
  const can = useCan();
  if (!can('media.read', 'media:*')) {
    return (
      <>
        <Head />
        <NoPermission action="media.read" />
      </>
    );
  }
  return <Library />;
}

function Library() {
  const screen = useMediaScreen();
  const { workspace, filter } = screen;
  const can = useCan();
  const wide = useMediaQuery('(min-width: 62em)', true);
  const list = useMediaList(workspace, filter);
  const selection = useSelection(`${workspace} ${JSON.stringify(filter)}`, list.items);
  const [tree, treeDrawer] = useDisclosure(false);
  const [deleting, setDeleting] = useState<readonly string[]>();
  const grid = useRef<GridHandle>(null);
  const mayUpload = can('media.upload', 'media:*');
  const [visibility, setVisibility] = useState<Visibility>('public');
  const onInstead = (copy: string, { filename }: MediaItem) => {
    selection.set(new Set([...selection.names].filter((it) => it !== copy)));
    void screen.setFile(filename);
  };
  const upload = (files: readonly File[]) => void uploadFiles(files, { category: filter.category ?? '', visibility, onInstead, describes: true });
  const over = useIncomingFiles({ onFiles: upload, enabled: mayUpload });
  /** Gives the keyboard to a file, else to the one that has the place of what is gone. */
  const focusFile = (name?: string) => {
    const row = name === undefined ? '[data-filename]' : `[data-filename="${CSS.escape(name)}"]`;
    if (grid.current) grid.current.focus(name);
    else document.querySelector<HTMLElement>(`table button${row}`)?.focus();
  };
  return (
    <Dragging screen={screen} selected={selection.files} items={list.items}>
      <Head
        screen={screen}
        categories={list.categories}
        total={list.total}
        onUpload={mayUpload ? upload : undefined}
        visibility={visibility}
        onVisibility={setVisibility}
        tree={wide ? undefined : { opened: tree, ...treeDrawer }}
      />
      <div className={classes.columns}>
        {wide && (
          <div className={classes.side}>
            <Categories screen={screen} categories={list.categories} />
          </div>
        )}
        <div className={classes.main}>
          <Toolbar screen={screen} />
          <Announce text={list.total === undefined ? '' : t('media.found', { count: list.total })} />
          <Results
            screen={screen}
            list={list}
            selection={selection}
            grid={grid}
            onUpload={mayUpload ? upload : undefined}
            onDelete={can('media.delete', 'media:*') ? setDeleting : undefined}
          />
          <BulkBar
            screen={screen}
            selection={selection}
            total={list.total}
            categories={list.categories}
            onDelete={setDeleting}
          />
        </div>
        <PanelFrame
          screen={screen}
          items={list.items}
          categories={list.categories}
          onDelete={(name) => setDeleting([name])}
          onClosed={focusFile}
        />
      </div>
      {over && <div className={classes.dropzone}>{t('media.dropHere')}</div>}
      <DeleteDialog
        workspace={workspace}
        names={deleting}
        onClose={() => setDeleting(undefined)}
        onDeleted={(gone) => {
          selection.set(new Set([...selection.names].filter((it) => !gone.includes(it))));
          if (screen.file && gone.includes(screen.file)) void screen.setFile(undefined);
          focusFile();
        }}
      />
    </Dragging>
  );
}

interface DraggingProps {
  screen: ReturnType<typeof useMediaScreen>;
  items: readonly MediaItem[];
  selected: readonly MediaItem[];
  children: React.ReactNode;
}

/** Lets files be dragged into categories, and categories into each other. */
function Dragging({ screen, items, selected, children }: DraggingProps) {
  const { workspace } = screen;
  const [dragged, setDragged] = useState<Dragged>();
  const sensors = useSensors(useSensor(MouseSensor, { activationConstraint: { distance: 6 } }));
  function onDragStart({ active }: DragStartEvent): void {
    const { file, category } = active.data.current ?? {};
    const picked = selected.some((it) => it.filename === file) ? selected : items.filter((it) => it.filename === file);
    setDragged(typeof category === 'string' ? { category } : { files: picked });
  }
  async function onDragEnd({ over }: DragEndEvent): Promise<void> {
    const into: unknown = over?.data.current?.category;
    setDragged(undefined);
    if (!dragged || typeof into !== 'string' || !canDrop(dragged, into)) return;
    try {
      if ('files' in dragged) await moveFiles(workspace, dragged.files, into);
      else await moveCategory(workspace, dragged.category, pathWithin(dragged.category, into));
    } catch (error) {
      showError(error);
    }
  }
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      onDragStart={onDragStart}
      onDragEnd={onDragEnd}
      onDragCancel={() => setDragged(undefined)}
      accessibility={{ screenReaderInstructions: { draggable: '' }, announcements: SILENT }}
    >
      {children}
      <DragOverlay dropAnimation={null}>
        {dragged && (
          <span className={classes.dragged}>
            {'files' in dragged
              ? dragged.files.length === 1
                ? dragged.files[0]?.filename
                : t('media.count', { count: dragged.files.length })
              : categoryName(dragged.category)}
          </span>
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** Dragging is for the mouse; what came of it is told by the message that offers to undo it. */
const SILENT = { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing };
function nothing(): undefined {}
