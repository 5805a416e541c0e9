import common from './en/common';
import shell from './en/shell';
import auth from './en/auth';
import dashboard from './en/dashboard';
import content from './en/content';
import entry from './en/entry';
import fields from './en/fields';
import types from './en/types';
import media from './en/media';
import revisions from './en/revisions';
import trash from './en/trash';
import activity from './en/activity';
import problems from './en/problems';
import users from './en/users';
import roles from './en/roles';
import tokens from './en/tokens';
import profile from './en/profile';
import webhooks from './en/webhooks';
import backups from './en/backups';
import workspaces from './en/workspaces';
import settings from './en/settings';
import explorer from './en/explorer';
import palette from './en/palette';

/** Every text, in English. */
const en = {
  ...common,
  ...shell,
  ...auth,
  ...dashboard,
  ...content,
  ...entry,
  ...fields,
  ...types,
  ...media,
  ...revisions,
  ...trash,
  ...activity,
  ...problems,
  ...users,
  ...roles,
  ...tokens,
  ...profile,
  ...webhooks,
  ...backups,
  ...workspaces,
  ...settings,
  ...explorer,
  ...palette,
} as const;

export default en;
