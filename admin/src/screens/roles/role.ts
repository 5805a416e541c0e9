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

/** The values of a role that the form changes; of the administrators' only one. */
type RoleValues = { label: string; permissions: Grant[]; requires_second_factor: boolean };

/** Lets the administrators' role require a second factor, or no longer. Nothing else of it can change. */
export async function saveRequirement(id: string, requires_second_factor: boolean): Promise<Role> {
  const { data } = await call(api.PUT('/admin/api/roles/{id}', { params: { path: { id } }, body: { requires_second_factor } }));
  await refreshRoles();
  return data;
}

/** Makes a role, or changes one. */
export async function saveRole(id: string | undefined, change: RoleValues): Promise<Role> {
  const answer = id
    ? await call(api.PUT('/admin/api/roles/{id}', { params: { path: { id } }, body: change }))
    : await call(api.POST('/admin/api/roles', { body: change }));
  await refreshRoles();
  return answer.data;
}

/** Reads the roles again, and what one may do oneself, which can have changed with them. */
async function refreshRoles(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.roles }),
    queryClient.invalidateQueries({ queryKey: queryKeys.me }),
  ]);
}
