// The names of its months and days, for the calendars of dates.
import 'dayjs/locale/de';
import activity from './de/activity';
import backups from './de/backups';
import changes from './de/changes';
import content from './de/content';
import entry from './de/entry';
import explorer from './de/explorer';
import fields from './de/fields';
import media from './de/media';
import preview from './de/preview';
import pictures from './de/pictures';
import problems from './de/problems';
import profile from './de/profile';
import revisions from './de/revisions';
import roles from './de/roles';
import search from './de/search';
import saving from './de/saving';
import settings from './de/settings';
import tokens from './de/tokens';
import trash from './de/trash';
import types from './de/types';
import users from './de/users';
import webhooks from './de/webhooks';
import workspaces from './de/workspaces';
import type en from './en.later';
import type { Translation } from './message';

/** The texts of all other screens, in German: loaded with the first of them. */
export default {
  ...activity,
  ...backups,
  ...changes,
  ...content,
  ...entry,
  ...explorer,
  ...fields,
  ...media,
  ...preview,
  ...pictures,
  ...problems,
  ...profile,
  ...revisions,
  ...roles,
  ...search,
  ...saving,
  ...settings,
  ...tokens,
  ...trash,
  ...types,
  ...users,
  ...webhooks,
  ...workspaces,
} satisfies Translation<typeof en>;
