import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useEffect } from 'react';
import { currentWorkspace } from '~/api/client';
import type { MediaItem } from '~/api/schema';
import { t } from '~/i18n';
import { PictureMenuItems } from '~/media/picture-actions';
import { LazyMenu } from '../../rows/LazyMenu';

/** Returns the name of the file of this workspace that an address in a text leads to. */
export function fileOfAddress(address: string): string | undefined {
  const [, workspace = '', name = ''] = /^\/media\/([^/?#]+)\/([^/?#]+)/.exec(address) ?? [];
  try {
    return decodeURIComponent(workspace) === currentWorkspace() ? decodeURIComponent(name) : undefined;
  } catch {
    return undefined;
  }
}

interface FileMenuProps {
  name: string;
  /** The file, once it is known. */
  item: MediaItem | undefined;
  readOnly: boolean;
  tabIndex: number;
  /** Called when the menu needs the file. */
  onAsk: () => void;
}

/** The menu about the file of a picture in a text. */
export function FileMenu({ name, item, readOnly, tabIndex, onAsk }: FileMenuProps) {
  return (
    <LazyMenu
      target={
        <ActionIcon variant="default" tabIndex={tabIndex} title={t('general.more')} aria-label={t('picture.actions', { name })}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      }
    >
      {() => <Items item={item} readOnly={readOnly} onAsk={onAsk} />}
    </LazyMenu>
  );
}

function Items({ item, readOnly, onAsk }: Pick<FileMenuProps, 'item' | 'readOnly' | 'onAsk'>) {
  useEffect(onAsk, [onAsk]);
  if (!item) return <Menu.Label>{t('general.loading')}</Menu.Label>;
  return <PictureMenuItems workspace={currentWorkspace()} item={item} readOnly={readOnly} />;
}
