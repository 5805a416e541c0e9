/** The kinds of events, and the links to their objects. */
import type { ActivityRow } from '~/api/schema';

export type Row = ActivityRow;

/** The kinds of events by what they are about, in the order in which they are offered. */
export const KINDS = {
  content: [
    'content.created', 'content.updated', 'content.published', 'content.unpublished', 'content.deleted', 'content.restored',
    'content.purged',
  ],
  change: [
    'change.created', 'change.updated', 'change.submitted', 'change.returned', 'change.approved', 'change.planned',
    'change.failed', 'change.published', 'change.closed', 'change.deleted',
  ],
  media: ['media.uploaded', 'media.updated', 'media.deleted', 'media.category_created', 'media.category_renamed', 'media.category_deleted'],
  schema: ['schema.created', 'schema.updated', 'schema.deleted'],
  view: ['view.created', 'view.updated', 'view.deleted'],
  auth: ['auth.setup', 'auth.login', 'auth.refused', 'auth.logout', 'auth.sessions_ended', 'auth.second_factor_set', 'auth.second_factor_removed', 'auth.recovery_code_used', 'auth.recovery_codes_renewed'],
  user: ['user.created', 'user.updated', 'user.deleted'],
  role: ['role.created', 'role.updated', 'role.deleted'],
  token: ['token.created', 'token.updated', 'token.rotated', 'token.revoked', 'token.deleted'],
  workspace: ['workspace.created', 'workspace.updated', 'workspace.archived'],
  problem: ['problem.solved', 'problem.accepted'],
  settings: ['settings.updated'],
  webhooks: ['webhooks.updated'],
  backup: ['backup.created', 'backup.uploaded', 'backup.restored', 'backup.deleted'],
  update: ['update.downloaded', 'update.installed'],
} as const;
export type KindGroup = keyof typeof KINDS;
export type Kind = (typeof KINDS)[KindGroup][number];
export const KIND_GROUPS = Object.keys(KINDS) as KindGroup[];
const ALL: readonly Kind[] = KIND_GROUPS.flatMap((it) => [...KINDS[it]]);

/** The kind of a row; nothing for one that a later server tells of. */
export function kindOf(row: Row): Kind | undefined {
  return ALL.find((it) => it === row.type);
}

export function groupOf(row: Row): KindGroup | undefined {
  const [group] = row.type.split('.');
  return KIND_GROUPS.find((it) => it === group);
}

/** A text among the details of a row. */
export function detailOf(row: Row, key: string): string {
  const value = row.details?.[key];
  return typeof value === 'string' ? value : '';
}

/** Returns the name of the object of an event. */
export function objectOf(row: Row): string {
  const keys: Partial<Record<KindGroup, string[]>> = {
    content: ['title', 'slug', 'id'],
    change: ['label', 'change'],
    media: ['filename', 'category'],
    schema: ['label', 'type'],
    view: ['name', 'view'],
    auth: ['username'],
    user: ['username'],
    role: ['label', 'role'],
    token: ['name', 'token'],
    workspace: ['label', 'slug'],
    problem: ['path'],
    backup: ['backup'],
    update: ['version'],
  };
  const group = groupOf(row);
  for (const key of (group && keys[group]) ?? []) {
    const text = detailOf(row, key);
    if (text) return text;
  }
  return '';
}

/** An address of the interface. */
export interface Target {
  to: string;
  params?: Record<string, string>;
  search?: Record<string, string>;
}

/** Returns a link to the object of an event, as long as it can still be there. */
export function targetOf(row: Row): Target | undefined {
  const workspace = row.workspace ?? '';
  const type = detailOf(row, 'type');
  switch (groupOf(row)) {
    case 'content':
      if (row.type === 'content.purged') return undefined;
      if (row.type === 'content.deleted') return { to: '/w/$workspace/trash', params: { workspace }, search: { type } };
      return { to: '/w/$workspace/content/$type/$id', params: { workspace, type, id: detailOf(row, 'id') } };
    case 'media': {
      const file = detailOf(row, 'filename');
      if (row.type === 'media.deleted' || !file) return undefined;
      return { to: '/w/$workspace/media', params: { workspace }, search: { file } };
    }
    case 'schema':
      return row.type === 'schema.deleted' ? undefined : { to: '/w/$workspace/types/$type', params: { workspace, type } };
    case 'auth':
    case 'user':
      return row.type === 'user.deleted' ? undefined : { to: '/system/users', search: { user: detailOf(row, 'user') } };
    case 'role':
      return row.type === 'role.deleted' ? undefined : { to: '/system/roles/$id', params: { id: detailOf(row, 'role') } };
    case 'token':
      return { to: '/system/tokens' };
    case 'workspace':
      return { to: '/system/workspaces' };
    case 'settings':
    case 'update':
      return { to: '/system/settings' };
    case 'webhooks':
      return { to: '/system/webhooks' };
    case 'backup':
      return { to: '/system/backups' };
    case 'problem':
      return workspace ? { to: '/w/$workspace/problems', params: { workspace } } : undefined;
    default:
      return undefined;
  }
}
