import common from './de/common';
import shell from './de/shell';
import auth from './de/auth';
import dashboard from './de/dashboard';
import content from './de/content';
import entry from './de/entry';
import fields from './de/fields';
import types from './de/types';
import media from './de/media';
import revisions from './de/revisions';
import trash from './de/trash';
import activity from './de/activity';
import problems from './de/problems';
import users from './de/users';
import roles from './de/roles';
import tokens from './de/tokens';
import profile from './de/profile';
import webhooks from './de/webhooks';
import backups from './de/backups';
import workspaces from './de/workspaces';
import settings from './de/settings';
import explorer from './de/explorer';
import palette from './de/palette';

/** Every text, in German. */
const de = {
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
};

export default de;
