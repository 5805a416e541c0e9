import auth from './de/auth';
import general from './de/general';
import dashboard from './de/dashboard';
import events from './de/events';
import palette from './de/palette';
import shell from './de/shell';
import type en from './en.first';
import type { Translation } from './message';

/** The texts of the shell and of the screens one begins with, in German. */
export default {
  ...auth,
  ...general,
  ...dashboard,
  ...events,
  ...palette,
  ...shell,
} satisfies Translation<typeof en>;
