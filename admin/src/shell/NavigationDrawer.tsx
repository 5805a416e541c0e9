import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '~/i18n';
import { useOpening } from '~/ui/return-focus';
import classes from './Shell.module.css';

/** The navigation where there is no room beside the screen. */
export function NavigationDrawer({ opened, onClose, children }: { opened: boolean; onClose: () => void; children: ReactNode }) {
  return (
    <Drawer.Root
      opened={useOpening(opened).opened}
      onClose={onClose}
      position="left"
      size={300}
      className={classes.narrow}
      classNames={{ content: classes.drawer }}
    >
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('shell.navigation')}>{children}</Drawer.Content>
    </Drawer.Root>
  );
}
