import { ActionIcon, Drawer, Text } from '@mantine/core';
import { useMediaQuery, useWindowEvent } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useRef } from 'react';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { mediaItemQuery } from '~/media/queries';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import classes from './Media.module.css';
import { Panel } from './Panel';
import type { MediaScreen } from './useMediaScreen';

interface PanelFrameProps {
  screen: MediaScreen;
  items: readonly MediaItem[];
  categories: readonly string[];
  onDelete: (filename: string) => void;
  /** After it was closed: where the keyboard goes. */
  onClosed: (filename: string) => void;
}

/** The open file beside the list, or over it where there is no room. */
export function PanelFrame(props: PanelFrameProps) {
  const wide = useMediaQuery('(min-width: 75em)', true);
  const { screen, onClosed } = props;
  const { file } = screen;
  const close = () => {
    if (file === undefined) return;
    void screen.setFile(undefined);
    onClosed(file);
  };
  if (wide) return file === undefined ? null : <Side {...props} file={file} onClose={close} />;
  return (
    <Drawer
      opened={file !== undefined}
      onClose={close}
      title={file}
      size="26rem"
      classNames={{ title: classes.drawerTitle }}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      {file !== undefined && <Content {...props} file={file} />}
    </Drawer>
  );
}

type OpenProps = PanelFrameProps & { file: string };

function Side(props: OpenProps & { onClose: () => void }) {
  const { file, onClose } = props;
  const title = useId();
  const region = useRef<HTMLElement>(null);
  useWindowEvent('keydown', (event) => {
    const inside = event.target instanceof Node && region.current?.contains(event.target);
    if (inside && event.key === 'Escape' && !event.defaultPrevented) onClose();
  });
  return (
    // Another file begins at its top.
    <aside key={file} ref={region} aria-labelledby={title} className={classes.panel}>
      <div className={classes.panelHead}>
        <Text component="h2" id={title} fw={600} className={classes.panelTitle}>
          {file}
        </Text>
        <ActionIcon aria-label={t('media.closePanel')} onClick={onClose}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </div>
      <Content {...props} />
    </aside>
  );
}

function Content({ screen, items, categories, file, onDelete }: OpenProps) {
  const listed = items.find((it) => it.filename === file);
  const query = useQuery({ ...mediaItemQuery(screen.workspace, file), placeholderData: listed });
  if (query.isError) return <ErrorState error={query.error} onRetry={() => query.refetch()} />;
  if (!query.data) {
    return <Waiting what={file} heights={[220, 36, 72]} />;
  }
  return <Panel key={file} screen={screen} item={query.data} categories={categories} onDelete={() => onDelete(file)} />;
}
