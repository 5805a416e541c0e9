/** The parts that lie over the page at times, as one file to load: once there is nothing else to do, or when one is needed. */
import '@mantine/notifications/styles.css';

export { Notifications } from '@mantine/notifications';
export { DialogStack } from '~/ui/DialogStack';
export { LeaveDialog } from '~/ui/LeaveDialog';
export { ExpiredDialog } from './ExpiredDialog';
export { NavigationDrawer } from './NavigationDrawer';
