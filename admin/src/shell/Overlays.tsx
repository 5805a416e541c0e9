import { type NotificationsProps, useNotifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { useDialogs } from '~/ui/dialogs';
import { later, useCalm } from '~/ui/later';

const Notifications = later<NotificationsProps>(() => import('./overlays').then((it) => it.Notifications));
const DialogStack = later(() => import('./overlays').then((it) => it.DialogStack));

/** The toasts in a corner, and the dialogs that are opened by a call. */
export function Overlays() {
  const { notifications } = useNotifications();
  const dialogs = useDialogs();
  const hasMessages = notifications.length > 0;
  // They are there early: a toast that says the server is away must not have to be fetched from it. And
  // they stay: a dialog that closes gives the keyboard back a moment later.
  const isShown = useCalm(hasMessages || dialogs.length > 0);
  useEffect(() => {
    document.body.toggleAttribute('data-messages', hasMessages);
  }, [hasMessages]);
  if (!isShown) return null;
  return (
    <>
      {/* Which of them make way for others is decided where they are shown. */}
      <Notifications position="bottom-right" limit={100} />
      <DialogStack />
    </>
  );
}
