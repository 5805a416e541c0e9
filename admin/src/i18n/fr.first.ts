import auth from './fr/auth';
import general from './fr/general';
import dashboard from './fr/dashboard';
import events from './fr/events';
import palette from './fr/palette';
import shell from './fr/shell';
import type en from './en.first';
import type { Translation } from './message';

/** The texts of the shell and of the screens one begins with, in French. */
export default {
  ...auth,
  ...general,
  ...dashboard,
  ...events,
  ...palette,
  ...shell,
} satisfies Translation<typeof en>;
