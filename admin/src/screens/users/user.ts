/** Users: how they are asked for, changed and removed. */
import { queryOptions } from '@tanstack/react-query';
import { api, call, request } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { User } from '~/api/schema';
import { t } from '~/i18n';
import type { Search } from '~/search-params';
import { confirm, showDone } from '~/ui/feedback';

export const PAGE_SIZE = 50;

/** The parameters of a list of users, as the address has them. */
export interface UserList {
  q: string;
  role: string;
  sort: string;
  page: number;
}

const text = (value: Search[string]) => (typeof value === 'string' ? value : '');

export function readListParams(search: Search): UserList {
  return {
    q: text(search.q),
    role: text(search.role),
    sort: text(search.sort) || 'username',
    page: Math.max(1, Math.floor(Number(text(search.page))) || 1),
  };
}

export function usersQuery({ q, role, sort, page }: UserList) {
  return queryOptions({
    queryKey: queryKeys.userList({ q, role, sort, page }),
    queryFn: async () => {
      const query = { sort, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE, ...(q && { q }), ...(role && { role }) };
      const { data, meta } = await call(api.GET('/admin/api/users', { params: { query } }));
      return { users: data as readonly User[], total: Number(meta?.total ?? data.length) };
    },
    placeholderData: (before) => before,
  });
}

export function userQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.user(id),
    queryFn: async () => (await call(api.GET('/admin/api/users/{id}', { params: { path: { id } } }))).data,
  });
}

/** Returns the name of a user. */
export function userName(user: { username: string; display_name: string }): string {
  return user.display_name || user.username;
}

/** Returns the address of a user's picture; another one whenever the user was changed. */
export function avatarUrl(user: User): string | null {
  return user.has_avatar ? `/admin/api/users/${encodeURIComponent(user.id)}/avatar?v=${encodeURIComponent(user.updated_at ?? '')}` : null;
}

/** Fetches anew what a changed user shows in. */
export async function refreshUsers(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.users }),
    queryClient.invalidateQueries({ queryKey: queryKeys.roles }),
    queryClient.invalidateQueries({ queryKey: queryKeys.me }),
  ]);
}

export async function uploadAvatar(id: string, file: File): Promise<void> {
  const body = new FormData();
  body.append('avatar', file);
  await request(`/admin/api/users/${encodeURIComponent(id)}/avatar`, { method: 'POST', body });
  await refreshUsers();
}

/** Asks, and removes the second factor of somebody who has lost it. */
export async function resetFactor(user: User): Promise<void> {
  const name = userName(user);
  const yes = await confirm({
    title: t('users.factorResetTitle', { name }),
    body: t('users.factorResetBody', { name }),
    action: t('users.factorReset'),
    danger: true,
  });
  if (!yes) return;
  await call(api.DELETE('/admin/api/users/{id}/second-factor', { params: { path: { id: user.id } } }));
  showDone(t('users.factorResetDone'));
  await refreshUsers();
}

export async function removeAvatar(id: string): Promise<void> {
  await call(api.DELETE('/admin/api/users/{id}/avatar', { params: { path: { id } } }));
  await refreshUsers();
}

/** Asks, and deletes a user. Tells whether it did. */
export async function removeUser(user: User): Promise<boolean> {
  const name = userName(user);
  const yes = await confirm({
    title: t('users.deleteTitle', { name }),
    body: t('users.deleteBody'),
    action: t('general.delete'),
    danger: true,
    typed: user.username,
  });
  if (!yes) return false;
  await call(api.DELETE('/admin/api/users/{id}', { params: { path: { id: user.id } } }));
  showDone(t('users.deleted', { name }));
  await refreshUsers();
  return true;
}
