import { type NotificationsProps, useNotifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { later } from './later';

const Notifications = later<NotificationsProps>(() => import('@mantine/notifications').then((it) => it.Notifications));

/** The toasts in a corner; what shows them is loaded with the first of them, or once there is nothing else to do. */
export function Toasts(props: NotificationsProps) {
  const { notifications } = useNotifications();
  const [calm, setCalm] = useState(false);
  useEffect(() => {
    // A toast that says the server is away must not have to be fetched from it.
    const timer = setTimeout(() => setCalm(true), 1500);
    return () => clearTimeout(timer);
  }, []);
  return calm || notifications.length > 0 ? <Notifications {...props} /> : null;
}
