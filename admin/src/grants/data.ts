/** The data of the grants editor: the actions that exist, and the names of things. */
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import type { Grant, Role } from '~/api/schema';
import { contentTypesQuery, useCan, useMe } from '~/api/session';
import { useWorkspace } from '~/workspace';
import { NAMED_ACTIONS } from './actions';
import type { Names } from './summary';

/** All roles, and of what grants are made. */
export const rolesQuery = queryOptions({
  queryKey: queryKeys.roles,
  queryFn: async () => {
    const { data, meta } = await call(api.GET('/admin/api/roles'));
    const { actions } = (meta ?? {}) as { actions?: string[] };
    return { roles: data as readonly Role[], actions: actions ?? NAMED_ACTIONS };
  },
});

/** The roles, as far as the user may see them. */
export function useRoles(): readonly Role[] | undefined {
  const can = useCan();
  return useQuery({ ...rolesQuery, enabled: can('roles.read', 'roles:*') }).data?.roles;
}

/** The actions of the server; those that the interface knows where they may not be asked for. */
export function useActions(): readonly string[] {
  const can = useCan();
  return useQuery({ ...rolesQuery, enabled: can('roles.read', 'roles:*') }).data?.actions ?? NAMED_ACTIONS;
}

/** The content types of some workspaces, each name once; of the current one without any. */
export function useTypesOf(scope: readonly string[]): readonly ContentTypeShape[] {
  const current = useWorkspace();
  const answers = useQueries({ queries: (scope.length > 0 ? scope : [current]).map(contentTypesQuery) });
  const byName = new Map<string, ContentTypeShape>();
  for (const { data } of answers) for (const type of data ?? []) if (!byName.has(type.name)) byName.set(type.name, type);
  return [...byName.values()];
}

/** The media categories of a workspace. */
export function useCategories(scope: readonly string[]): readonly string[] {
  const current = useWorkspace();
  const can = useCan();
  const workspace = scope[0] ?? current;
  const answer = useQuery({
    queryKey: queryKeys.mediaCategories(workspace),
    queryFn: async () =>
      (await call(api.GET('/admin/api/media', { params: { query: { limit: 1 } }, headers: { 'X-Service-Workspace': workspace } }))).meta
        ?.categories ?? [],
    enabled: can('media.read', 'media:*'),
    staleTime: 60_000,
  });
  return answer.data ?? [];
}

/** Returns the names that sentences about these grants need. */
export function useNames(grants: readonly Grant[]): Names {
  const me = useMe();
  const current = useWorkspace();
  const actions = useActions();
  const types = useTypesOf([...new Set([current, ...workspacesOf(grants)])]);
  return {
    type: (name) => types.find((it) => it.name === name)?.label ?? name,
    workspace: (slug) => me.workspaces.find((it) => it.slug === slug)?.label ?? slug,
    actions,
  };
}

/** The workspaces that grants name. */
function workspacesOf(grants: readonly Grant[]): string[] {
  return grants.flatMap((grant) =>
    grant.resources.flatMap((it) => {
      const slug = /^workspace:([^:*]+):/.exec(it)?.[1];
      return slug ? [slug] : [];
    }),
  );
}
