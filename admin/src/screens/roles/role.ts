import { queryClient } from '~/api/query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { Grant, Role } from '~/api/schema';
import { t } from '~/i18n';
import { confirm, showDone } from '~/ui/feedback';

/** Returns the origin of a role. A built-in one has times only once it was changed. */
export function roleKind(role: Role): 'builtIn' | 'changed' | 'own' {
  if (!role.system) return 'own';
  return role.updated_at ? 'changed' : 'builtIn';
}

/** Asks, and removes a role; one that is built in becomes again what it was. Tells whether it did. */
export async function removeRole(role: Role): Promise<boolean> {
  const resets = role.system;
  const name = role.label;
  const yes = await confirm({
    title: t(resets ? 'roles.resetTitle' : 'roles.deleteTitle', { name }),
    body: t(resets ? 'roles.resetBody' : 'roles.deleteBody'),
    action: t(resets ? 'roles.reset' : 'general.delete'),
    danger: true,
  });
  if (!yes) return false;
  await call(api.DELETE('/admin/api/roles/{id}', { params: { path: { id: role.id } } }));
  showDone(t(resets ? 'roles.resetDone' : 'roles.deleted', { name }));
  await queryClient.invalidateQueries({ queryKey: queryKeys.roles });
  return true;
}

/** Makes a role, or changes one. */
export async function saveRole(id: string | undefined, change: { label: string; permissions: Grant[] }): Promise<Role> {
  const answer = id
    ? await call(api.PUT('/admin/api/roles/{id}', { params: { path: { id } }, body: change }))
    : await call(api.POST('/admin/api/roles', { body: change }));
  // What one may do oneself can have changed with it.
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.roles }),
    queryClient.invalidateQueries({ queryKey: queryKeys.me }),
  ]);
  return answer.data;
}
