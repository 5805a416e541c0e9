/** The actions on a picture where it is used: in a field, and in a text. */
import { Menu } from '@mantine/core';
import { IconCopy, IconExternalLink, IconFocusCentered, IconReplace } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import type { MediaItem } from '~/api/schema';
import { useCan } from '~/api/session';
import { withBase } from '~/base';
import { loadChunk } from '~/fresh';
import { t } from '~/i18n';
import { copyText } from '~/ui/CopyButton';
import { openDialog } from '~/ui/dialogs';
import { showDone, showError } from '~/ui/feedback';
import { Waiting } from '~/ui/Waiting';

/** Asks for the file that takes the place of this one. */
function replace(workspace: string, item: MediaItem): void {
  loadChunk(import('./replacement')).then((it) => it.chooseReplacement(workspace, item), showError);
}

const FramingDialog = lazy(() => import('./framing/FramingDialog'));

/** Opens the dialog for the focal point and the crop of a picture. */
export function openFraming(workspace: string, { filename }: Pick<MediaItem, 'filename'>): void {
  openDialog({
    title: t('picture.frameNamed', { name: filename }),
    size: 'lg',
    children: (
      <Suspense fallback={<Waiting what={filename} heights={[280]} />}>
        <FramingDialog workspace={workspace} filename={filename} />
      </Suspense>
    ),
  });
}

/** Returns the actions on a file that the user is allowed. */
export function useFileRights(item: Pick<MediaItem, 'filename' | 'thumb_path'> | undefined) {
  const can = useCan();
  const file = `media:${item?.filename ?? '*'}`;
  const describe = can('media.update', 'media:*');
  return {
    describe,
    /** The server has to know the pixels of a picture to cut it. */
    frame: describe && Boolean(item?.thumb_path),
    replace: can('media.update', file) && can('media.upload', file),
  };
}

/** The address in the interface that shows a file in the library. */
function libraryAddress(workspace: string, filename: string): string {
  return withBase(`/admin/w/${encodeURIComponent(workspace)}/media?file=${encodeURIComponent(filename)}`);
}

interface PictureMenuItemsProps {
  workspace: string;
  item: MediaItem;
  /** Leaves out what changes the file. */
  readOnly?: boolean | undefined;
  /** More items, at the beginning. */
  children?: ReactNode;
}

/** The items of a menu about a file: what is shown of it, other bytes, its place and its URL. */
export function PictureMenuItems({ workspace, item, readOnly = false, children }: PictureMenuItemsProps) {
  const rights = useFileRights(item);
  const copy = async () => {
    if (await copyText(item.url)) showDone(t('general.copied'));
  };
  return (
    <>
      {children}
      {rights.frame && !readOnly && (
        <Menu.Item leftSection={<IconFocusCentered size={15} aria-hidden />} onClick={() => openFraming(workspace, item)}>
          {t('picture.frame')}
        </Menu.Item>
      )}
      {rights.replace && !readOnly && (
        <Menu.Item leftSection={<IconReplace size={15} aria-hidden />} onClick={() => replace(workspace, item)}>
          {t('picture.replace')}
        </Menu.Item>
      )}
      <Menu.Item
        component="a"
        href={libraryAddress(workspace, item.filename)}
        target="_blank"
        rel="noopener noreferrer"
        leftSection={<IconExternalLink size={15} aria-hidden />}
      >
        {t('fields.media.open')}
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy size={15} aria-hidden />} onClick={() => void copy()}>
        {t('picture.copyUrl')}
      </Menu.Item>
    </>
  );
}
