import { Button, FileButton } from '@mantine/core';
import { IconFolder, IconPhoto, IconUpload } from '@tabler/icons-react';
import type { KeyboardEvent, RefObject } from 'react';
import { t } from '~/i18n';
import { InfiniteEnd } from '~/media/InfiniteEnd';
import { type GridHandle, MediaGrid } from '~/media/MediaGrid';
import { GridSkeleton } from '~/media/PickerResults';
import type { useMediaList } from '~/media/queries';
import { EmptyState, NoMatch } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { withCommand } from '~/ui/shortcuts';
import { ListView } from './ListView';
import { isFiltered } from './params';
import type { MediaScreen } from './useMediaScreen';
import type { Selection } from './useSelection';

interface ResultsProps {
  screen: MediaScreen;
  list: ReturnType<typeof useMediaList>;
  selection: Selection;
  grid: RefObject<GridHandle | null>;
  onUpload: ((files: File[]) => void) | undefined;
  onDelete: ((names: string[]) => void) | undefined;
}

/** The files of the library, or why none are shown. */
export function Results({ screen, list, selection, grid, onUpload, onDelete }: ResultsProps) {
  const { query, items, total } = list;
  const { filter, setFilter, setFile } = screen;
  if (query.isPending) return <GridSkeleton />;
  if (query.isError && items.length === 0) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  if (items.length === 0) {
    if (query.hasNextPage) return <GridSkeleton />;
    const { category, sort } = filter;
    return isFiltered(filter) ? (
      <NoMatch onClear={() => setFilter({ category, sort })} />
    ) : (
      <Nothing inCategory={category !== undefined} onUpload={onUpload} />
    );
  }
  function onKey(event: KeyboardEvent, index: number): boolean {
    const name = items[index]?.filename;
    if (event.key === 'a' && withCommand(event)) selection.set(new Set(items.map((it) => it.filename)));
    else if (event.key === 'Delete' && name && onDelete) {
      onDelete(selection.names.size > 0 ? [...selection.names] : [name]);
    } else if (event.key === 'Escape' && selection.names.size > 0) selection.clear();
    else return false;
    return true;
  }
  return (
    <>
      {screen.view === 'list' ? (
        <ListView screen={screen} items={items} selection={selection} />
      ) : (
        <MediaGrid
          label={t('media.files')}
          items={items}
          total={total}
          mark={(item) => selection.names.has(item.filename)}
          current={screen.file}
          onOpen={(item) => setFile(item.filename)}
          onToggle={selection.toggle}
          onKey={onKey}
          multiple
          draggable
          handle={grid}
        />
      )}
      <InfiniteEnd query={query} />
    </>
  );
}

/** There is nothing here yet: in the whole library, or in a category. */
function Nothing({ inCategory, onUpload }: { inCategory: boolean; onUpload: ResultsProps['onUpload'] }) {
  return (
    <EmptyState
      icon={inCategory ? IconFolder : IconPhoto}
      title={t(inCategory ? 'media.empty.category' : 'media.empty')}
      action={
        onUpload && (
          <FileButton multiple onChange={onUpload}>
            {(props) => (
              <Button leftSection={<IconUpload size={16} aria-hidden />} {...props}>
                {t('media.upload')}
              </Button>
            )}
          </FileButton>
        )
      }
    >
      {t(inCategory ? 'media.empty.categoryHint' : 'media.emptyHint')}
    </EmptyState>
  );
}
