// The names of its months and days, for the calendars of dates.
import 'dayjs/locale/fr';
import activity from './fr/activity';
import backups from './fr/backups';
import explorer from './fr/explorer';
import imports from './fr/import';
import problems from './fr/problems';
import profile from './fr/profile';
import roles from './fr/roles';
import search from './fr/search';
import settings from './fr/settings';
import tokens from './fr/tokens';
import trash from './fr/trash';
import types from './fr/types';
import users from './fr/users';
import webhooks from './fr/webhooks';
import workspaces from './fr/workspaces';
import type en from './en.later';
import type { Translation } from './message';

/** The texts of all other screens, in French: loaded with the first of them. */
export default {
  ...activity,
  ...backups,
  ...explorer,
  ...imports,
  ...problems,
  ...profile,
  ...roles,
  ...search,
  ...settings,
  ...tokens,
  ...trash,
  ...types,
  ...users,
  ...webhooks,
  ...workspaces,
} satisfies Translation<typeof en>;
