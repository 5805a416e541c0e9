// The names of its months and days, for the calendars of dates.
import 'dayjs/locale/de';
import activity from './de/activity';
import backups from './de/backups';
import explorer from './de/explorer';
import imports from './de/import';
import problems from './de/problems';
import profile from './de/profile';
import roles from './de/roles';
import search from './de/search';
import settings from './de/settings';
import tokens from './de/tokens';
import trash from './de/trash';
import types from './de/types';
import users from './de/users';
import webhooks from './de/webhooks';
import workspaces from './de/workspaces';
import type en from './en.later';
import type { Translation } from './message';

/** The texts of the screens that manage things, in German: loaded with the first of them. */
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
