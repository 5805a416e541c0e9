import auth from './en/auth';
import common from './en/common';
import dashboard from './en/dashboard';
import palette from './en/palette';
import shell from './en/shell';

/** The texts of the shell and of the screens one begins with, in English. */
export default {
  ...auth,
  ...common,
  ...dashboard,
  ...palette,
  ...shell,
} as const;
