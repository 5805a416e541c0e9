/** Who is logged in, and what everybody needs to know of the installation. */
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { api, call, currentWorkspace, setCsrf } from './client';
import type { ContentTypeShape } from './fields';
import { could } from './permissions';
import { queryClient } from './query';
import type { Me } from './schema';

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: async () => remember((await call(api.GET('/admin/api/me'))).data),
  staleTime: 60_000,
});

/** Takes over what the server said about who is logged in. */
export function remember(me: Me): Me {
  setCsrf(me.csrf_token);
  queryClient.setQueryData(['me'], me);
  return me;
}

/** Who is logged in. Below the shell somebody always is. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

const ownAvatarKey = ['own-avatar'];

/** The path of one's own picture: another one whenever it was changed here, so that it is fetched anew. */
export function useOwnAvatar(): string | null {
  const me = useMe();
  const version = useQuery({ queryKey: ownAvatarKey, queryFn: () => 0, staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }).data;
  return me.has_avatar ? `/admin/api/profile/avatar?v=${version ?? 0}` : null;
}

/** Tells whoever shows one's own picture that it is another one now. */
export function ownAvatarChanged(): void {
  queryClient.setQueryData(ownAvatarKey, Date.now());
}

/** Asks for rights: `can('content.create', 'content:posts:*')`. */
export function useCan(): (action: string, resource: string) => boolean {
  const me = useMe();
  return (action, resource) => could(me.permissions, currentWorkspace(), action, resource);
}

export const appQuery = queryOptions({
  queryKey: ['app'],
  queryFn: async () => (await call(api.GET('/admin/api/app'))).data,
  staleTime: 5 * 60_000,
});

export function useApp() {
  return useQuery(appQuery).data;
}

/** All content types of a workspace that the user may see, in order. */
export function contentTypesQuery(workspace: string) {
  return queryOptions({
    queryKey: [workspace, 'types'],
    queryFn: async () =>
      (await call(api.GET('/admin/api/content-types', { headers: { 'X-Service-Workspace': workspace } }))).data as unknown as readonly ContentTypeShape[],
    staleTime: 60_000,
  });
}

export function useContentTypes(workspace: string): readonly ContentTypeShape[] {
  return useSuspenseQuery(contentTypesQuery(workspace)).data;
}

/** One content type by its name; nothing when there is none, or none that the user may see. */
export function useContentType(workspace: string, name: string): ContentTypeShape | undefined {
  return useContentTypes(workspace).find((it) => it.name === name);
}

let saves = Promise.resolve();
let saving = 0;

/** Changes a part of what the interface keeps for the user, see {@link Preferences}. */
export function savePreferences(change: Partial<Preferences>): Promise<void> {
  const me = queryClient.getQueryData(meQuery.queryKey);
  const preferences = { ...(me?.preferences as Preferences | undefined), ...change };
  if (me) queryClient.setQueryData(meQuery.queryKey, { ...me, preferences });
  // One after the other, as all of them are sent whole; only the last answer is the truth.
  saving += 1;
  const save = saves.then(async () => {
    try {
      const { data } = await call(api.PUT('/admin/api/profile', { body: { preferences } }));
      if (saving === 1) remember(data);
    } finally {
      saving -= 1;
    }
  });
  saves = save.catch(() => {});
  return save;
}

/** What the interface keeps for a user on the server. */
export interface Preferences {
  /** Whether single letters are shortcuts (WCAG 2.1.4: they can be switched off). */
  letterShortcuts?: boolean;
  density?: 'comfortable' | 'compact';
  language?: 'en' | 'de';
  /** What was hidden of the getting-started list, by workspace. */
  guideDone?: Record<string, boolean>;
  /** How a list shows, by `workspace/type`. */
  lists?: Record<string, { columns?: string[]; widths?: Record<string, number> }>;
  [other: string]: unknown;
}

export function usePreferences(): Preferences {
  return useMe().preferences as Preferences;
}
