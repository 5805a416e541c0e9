// The names of its months and days, for the calendars of dates.
import 'dayjs/locale/fr';
import activity from './fr/activity';
import backups from './fr/backups';
import changes from './fr/changes';
import content from './fr/content';
import entry from './fr/entry';
import explorer from './fr/explorer';
import fields from './fr/fields';
import media from './fr/media';
import preview from './fr/preview';
import pictures from './fr/pictures';
import problems from './fr/problems';
import profile from './fr/profile';
import revisions from './fr/revisions';
import roles from './fr/roles';
import search from './fr/search';
import saving from './fr/saving';
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
