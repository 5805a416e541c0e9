import activity from './en/activity';
import backups from './en/backups';
import explorer from './en/explorer';
import imports from './en/import';
import problems from './en/problems';
import profile from './en/profile';
import roles from './en/roles';
import search from './en/search';
import settings from './en/settings';
import tokens from './en/tokens';
import trash from './en/trash';
import types from './en/types';
import users from './en/users';
import webhooks from './en/webhooks';
import workspaces from './en/workspaces';

/** The texts of the screens that manage things, in English: loaded with the first of them. */
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
} as const;
