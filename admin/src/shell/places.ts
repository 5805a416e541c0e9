/** Every screen that is not about one content type, with the right that it needs: for the navigation and the palette. */
import {
  IconActivity, IconAlertTriangle, IconApi, IconArchive, IconDatabaseImport, IconGitPullRequest, IconKey, IconLayoutDashboard, IconPhoto, IconPlugConnected, IconSettings,
  IconShieldLock, IconStack2, IconTrash, IconUser, IconUsers, IconWorld, type TablerIcon,
} from '@tabler/icons-react';
import type { LinkProps } from '@tanstack/react-router';
import type { Key } from '~/i18n';

export interface Place {
  /** Its name, which is also what it is known by. */
  label: Key;
  icon: TablerIcon;
  link: (workspace: string) => LinkProps;
  /** The permission without which the place is hidden. */
  needs?: readonly [action: string, resource: string];
}

/** The addresses of a workspace that need nothing but its name. */
type InWorkspace = Exclude<Extract<LinkProps['to'], `/w/$workspace${string}`>, `/w/$workspace/${string}$${string}`>;

function within(to: InWorkspace): Place['link'] {
  return (workspace) => ({ to, params: { workspace } });
}

export const DASHBOARD: Place = {
  label: 'shell.dashboard',
  icon: IconLayoutDashboard,
  link: (workspace) => ({ to: '/w/$workspace', params: { workspace }, activeOptions: { exact: true } }),
};

export const LIBRARY: readonly Place[] = [
  { label: 'shell.changes', icon: IconGitPullRequest, link: within('/w/$workspace/changes'), needs: ['content.read', 'content:*'] },
  { label: 'shell.media', icon: IconPhoto, link: within('/w/$workspace/media'), needs: ['media.read', 'media:*'] },
  { label: 'shell.trash', icon: IconTrash, link: within('/w/$workspace/trash'), needs: ['content.restore', 'content:*'] },
];

export const STRUCTURE: readonly Place[] = [
  { label: 'shell.types', icon: IconStack2, link: within('/w/$workspace/types') },
  { label: 'shell.api', icon: IconApi, link: within('/w/$workspace/api') },
  { label: 'shell.import', icon: IconDatabaseImport, link: within('/w/$workspace/import'), needs: ['content.publish', 'content:*'] },
  { label: 'shell.problems', icon: IconAlertTriangle, link: within('/w/$workspace/problems'), needs: ['settings.read', 'settings:*'] },
  { label: 'shell.activity', icon: IconActivity, link: within('/w/$workspace/activity'), needs: ['activity.read', 'activity:*'] },
];

export const SYSTEM: readonly Place[] = [
  { label: 'shell.users', icon: IconUsers, link: () => ({ to: '/system/users' }), needs: ['users.read', 'users:*'] },
  { label: 'shell.roles', icon: IconShieldLock, link: () => ({ to: '/system/roles' }), needs: ['roles.read', 'roles:*'] },
  { label: 'shell.tokens', icon: IconKey, link: () => ({ to: '/system/tokens' }), needs: ['tokens.read', 'tokens:*'] },
  { label: 'shell.webhooks', icon: IconPlugConnected, link: () => ({ to: '/system/webhooks' }), needs: ['webhooks.manage', 'webhooks:*'] },
  { label: 'shell.backups', icon: IconArchive, link: () => ({ to: '/system/backups' }), needs: ['backups.read', 'backups:*'] },
  { label: 'shell.workspaces', icon: IconWorld, link: () => ({ to: '/system/workspaces' }), needs: ['workspaces.manage', 'workspaces:*'] },
  { label: 'shell.settings', icon: IconSettings, link: () => ({ to: '/system/settings' }), needs: ['settings.read', 'settings:*'] },
];

/** It has its way in the menu of the account. */
export const PROFILE: Place = { label: 'shell.profile', icon: IconUser, link: () => ({ to: '/system/profile' }) };
