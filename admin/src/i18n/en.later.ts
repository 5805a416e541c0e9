import activity from './en/activity';
import backups from './en/backups';
import changes from './en/changes';
import content from './en/content';
import entry from './en/entry';
import explorer from './en/explorer';
import fields from './en/fields';
import media from './en/media';
import preview from './en/preview';
import pictures from './en/pictures';
import problems from './en/problems';
import profile from './en/profile';
import revisions from './en/revisions';
import roles from './en/roles';
import search from './en/search';
import saving from './en/saving';
import settings from './en/settings';
import tokens from './en/tokens';
import trash from './en/trash';
import types from './en/types';
import users from './en/users';
import webhooks from './en/webhooks';
import workspaces from './en/workspaces';

/** The texts of all other screens, in English: loaded with the first of them. */
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
} as const;
