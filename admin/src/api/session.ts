/** The user who is logged in, and the facts about the installation that everybody needs. */
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { PROXY } from '~/base';
import type { Language } from '~/i18n';
import { api, call, currentWorkspace, endSession, isOtherUser, setCsrf } from './client';
import { ApiError, isApiError, sessionExpired } from './error';
import type { ContentTypeShape } from './fields';
import { queryKeys } from './keys';
import { mayAllow } from './permissions';
import { queryClient } from './query';
import type { Me } from './schema';

export const meQuery = queryOptions({
  queryKey: queryKeys.me,
  queryFn: async () => storeMe(refuseOther(await fetchMe())),
  staleTime: 60_000,
});

/**
 * Ends the session of this page if its user is somebody else, who has logged in in another tab: what is
 * unsaved here is not theirs.
 */
export function refuseOther(me: Me): Me {
  if (!isOtherUser(me.id)) return me;
  endSession();
  throw new ApiError(401, sessionExpired());
}

/** Asks who is logged in. If nobody is, and a proxy names somebody, logs them in. */
async function fetchMe(): Promise<Me> {
  try {
    return (await call(api.GET('/admin/api/me'))).data;
  } catch (error) {
    if (!PROXY || !isApiError(error, 'unauthenticated')) throw error;
    return await logInByProxy();
  }
}

/** Logs in the user whom the proxy names. */
export async function logInByProxy(): Promise<Me> {
  return (await call(api.POST('/admin/api/login/proxy'))).data;
}

/** Takes over what the server said about who is logged in. */
export function storeMe(me: Me): Me {
  setCsrf(me.csrf_token, me.id);
  queryClient.setQueryData(queryKeys.me, me);
  return me;
}

/** Returns the user who is logged in. Below the shell there always is one. */
export function useMe(): Me {
  return useSuspenseQuery(meQuery).data;
}

/** The path of one's own picture: another one whenever it was changed here, so that it is fetched anew. */
export function useOwnAvatar(): string | null {
  const me = useMe();
  const version = useQuery({ queryKey: queryKeys.ownAvatar, queryFn: () => 0, staleTime: Number.POSITIVE_INFINITY, gcTime: Number.POSITIVE_INFINITY }).data;
  return me.has_avatar ? `/admin/api/profile/avatar?v=${version ?? 0}` : null;
}

/** Tells whoever shows one's own picture that it is another one now. */
export function refreshOwnAvatar(): void {
  queryClient.setQueryData(queryKeys.ownAvatar, Date.now());
}

/** Asks for rights: `can('content.create', 'content:posts:*')`. */
export function useCan(): (action: string, resource: string) => boolean {
  const me = useMe();
  return (action, resource) => mayAllow(me.permissions, currentWorkspace(), action, resource);
}

export const appQuery = queryOptions({
  queryKey: queryKeys.app,
  queryFn: async () => (await call(api.GET('/admin/api/app'))).data,
  staleTime: 5 * 60_000,
});

export function useApp() {
  return useQuery(appQuery).data;
}

/** All content types of a workspace that the user may see, in order. */
export function contentTypesQuery(workspace: string) {
  return queryOptions({
    queryKey: queryKeys.types(workspace),
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
      if (saving === 1) storeMe(data);
    } finally {
      saving -= 1;
    }
  });
  saves = save.catch(() => {});
  return save;
}

/** The preferences that the interface keeps for a user on the server. */
export interface Preferences {
  /** True if single letters are shortcuts (WCAG 2.1.4: they can be switched off). */
  letterShortcuts?: boolean;
  density?: 'comfortable' | 'compact';
  language?: Language;
  /** The clock that times are shown by; the one of the language if it is not set. */
  clock?: '12' | '24' | undefined;
  /** The steps that are hidden in the getting-started list, by workspace. */
  guideDone?: Record<string, boolean>;
  /** The looks of lists, by `workspace/type`. */
  lists?: Record<string, { columns?: string[]; widths?: Record<string, number> }>;
  [other: string]: unknown;
}

export function usePreferences(): Preferences {
  return useMe().preferences as Preferences;
}
