import auth from './en/auth';
import general from './en/general';
import dashboard from './en/dashboard';
import events from './en/events';
import palette from './en/palette';
import shell from './en/shell';

/** The texts of the shell and of the screens one begins with, in English. */
export default {
  ...auth,
  ...general,
  ...dashboard,
  ...events,
  ...palette,
  ...shell,
} as const;
