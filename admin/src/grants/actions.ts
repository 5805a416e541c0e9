/** The actions that grants speak of, by the area that each belongs to. */

/** The areas of a workspace: their resources can be narrowed to some workspaces. */
export const WORKSPACE_AREAS = ['content', 'media', 'schema'] as const;

/** The areas of the whole installation. */
export const SYSTEM_AREAS = [
  'dashboard', 'activity', 'profile', 'users', 'roles', 'tokens', 'workspaces', 'webhooks', 'backups', 'settings', 'updates',
] as const;

type WorkspaceArea = (typeof WORKSPACE_AREAS)[number];
export type Area = WorkspaceArea | (typeof SYSTEM_AREAS)[number];
export const AREAS: readonly Area[] = [...WORKSPACE_AREAS, ...SYSTEM_AREAS];

/** The actions that have a name in every language of the interface. */
export const NAMED_ACTIONS = [
  'content.read', 'content.create', 'content.update', 'content.delete', 'content.publish', 'content.approve',
  'content.restore', 'content.revisions.read', 'content.revisions.restore', 'media.read', 'media.upload', 'media.update', 'media.delete',
  'schema.read', 'schema.create', 'schema.update', 'schema.delete', 'dashboard.read', 'activity.read', 'profile.read',
  'profile.update', 'users.read', 'users.create', 'users.update', 'users.delete', 'roles.read', 'roles.create', 'roles.update',
  'roles.delete', 'tokens.read', 'tokens.create', 'tokens.revoke', 'workspaces.read', 'workspaces.manage', 'webhooks.manage',
  'backups.read', 'backups.create', 'backups.restore', 'backups.delete', 'settings.read', 'settings.update', 'updates.read',
  'updates.check', 'updates.download', 'updates.install',
] as const;
export type NamedAction = (typeof NAMED_ACTIONS)[number];

/** Checks whether the interface has words for an action; a newer server may have more of them. */
export function isNamed(action: string): action is NamedAction {
  return (NAMED_ACTIONS as readonly string[]).includes(action);
}

/** The area that an action belongs to: what stands before its first dot. */
export function areaOf(action: string): Area | undefined {
  const first = action.split('.')[0];
  return AREAS.find((area) => area === first);
}

/** The actions of an area, in the order of the server. */
export function actionsOf(area: Area, all: readonly string[]): string[] {
  return all.filter((action) => areaOf(action) === area);
}

export function isWorkspaceArea(area: Area): area is WorkspaceArea {
  return (WORKSPACE_AREAS as readonly string[]).includes(area);
}

/** Checks whether a pattern, in which `*` is any text, matches a text. */
export function matches(pattern: string, text: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

/** The actions that some patterns mean. */
export function expandActions(patterns: readonly string[], all: readonly string[]): string[] {
  return all.filter((action) => patterns.some((pattern) => matches(pattern, action)));
}

/** Actions in the fewest words: `*` for all of them, `media.*` for all of an area. */
export function compressActions(actions: readonly string[], all: readonly string[]): string[] {
  if (all.length > 0 && all.every((action) => actions.includes(action))) return ['*'];
  return AREAS.flatMap((area) => {
    const whole = actionsOf(area, all);
    const chosen = whole.filter((action) => actions.includes(action));
    return whole.length > 1 && chosen.length === whole.length ? [`${area}.*`] : chosen;
  });
}
