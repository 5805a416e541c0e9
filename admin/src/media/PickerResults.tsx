import { Skeleton } from '@mantine/core';
import { IconPhoto } from '@tabler/icons-react';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { EmptyState, NoMatch } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { InfiniteEnd } from './InfiniteEnd';
import { MediaGrid } from './MediaGrid';
import classes from './MediaPicker.module.css';
import type { useMediaList } from './queries';
import type { Picks } from './usePicks';

interface PickerResultsProps {
  list: ReturnType<typeof useMediaList>;
  pane: HTMLElement | null;
  picks: Picks;
  multiple: boolean;
  filtered: boolean;
  onClear: () => void;
  /** Takes one file right away. */
  onUse: (item: MediaItem) => void;
}

/** The files that can be picked, or why there are none. */
export function PickerResults({ list, pane, picks, multiple, filtered, onClear, onUse }: PickerResultsProps) {
  const { query, items, total } = list;
  if (query.isPending) return <GridSkeleton />;
  if (query.isError && items.length === 0) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  const toggle = (index: number) => {
    const item = items[index];
    if (item) picks.toggle(item);
  };
  if (items.length === 0 && !query.hasNextPage) {
    return filtered ? (
      <NoMatch onClear={onClear} />
    ) : (
      <EmptyState icon={IconPhoto} title={t('media.picker.empty')}>
        {t('media.picker.emptyHint')}
      </EmptyState>
    );
  }
  return (
    <>
      <MediaGrid
        label={t('media.files')}
        pane={pane}
        items={items}
        total={total}
        mark={picks.mark}
        isTaken={picks.isTaken}
        multiple={multiple}
        onToggle={toggle}
        onOpen={(item) => (multiple || picks.mark(item) === false ? picks.toggle(item) : onUse(item))}
      />
      <InfiniteEnd query={query} />
    </>
  );
}

/** The shape of the grid while its files are on their way. */
export function GridSkeleton() {
  return (
    <Waiting what={t('shell.media')} className={classes.skeleton}>
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={index} className={classes.bone} />
      ))}
    </Waiting>
  );
}
