/** Changes: what is proposed for entries beside what is live. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { LinkProps } from '@tanstack/react-router';
import { api, call, request } from './client';
import { isApiError } from './error';
import { queryKeys } from './keys';
import { ACTIVE, isActive, PENDING } from './proposals';
import { queryClient } from './query';
import type { Change, EntryDiff } from './schema';

/** More changes than are worked on at a time, so that a name is rarely missing. */
const MOST = 100;

/** The own pending change; nothing where it cannot be read any more. */
export function pendingQuery(workspace: string) {
  return queryOptions({
    queryKey: queryKeys.pendingChange(workspace),
    queryFn: async ({ signal }): Promise<Change | null> => {
      try {
        return (await call(api.GET('/admin/api/changes/{change}', { params: { path: { change: PENDING } }, signal }))).data;
      } catch (error) {
        if (isApiError(error, 'not_found')) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });
}

/** The changes that are worked on, the latest begun first. */
export function activeChangesQuery(workspace: string) {
  return queryOptions({
    queryKey: queryKeys.activeChanges(workspace),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ state: ACTIVE, limit: String(MOST) });
      return (await request<{ data: Change[] }>('/admin/api/changes', { query, signal })).data.filter(isActive);
    },
    staleTime: 60_000,
  });
}

/** The changes that are published, as far as they are still known. */
export function publishedChangesQuery(workspace: string) {
  return queryOptions({
    queryKey: queryKeys.publishedChanges(workspace),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ state: 'published', limit: String(MOST) });
      const { data } = await request<{ data: Change[] }>('/admin/api/changes', { query, signal });
      return data.filter((it) => it.state === 'published');
    },
    staleTime: 60_000,
  });
}

/** Returns the own pending change; nothing while it is on its way. */
export function usePendingChange(workspace: string, enabled = true): Change | null | undefined {
  return useQuery({ ...pendingQuery(workspace), enabled }).data;
}

/** The differences that a change makes to one entry. */
export async function readDifferences(change: string, type: string, id: string): Promise<EntryDiff | undefined> {
  const { data } = await call(api.GET('/admin/api/changes/{change}/diff', { params: { path: { change } } }));
  return data.find((it) => it.collection === type && it.id === id);
}

/** Begins a named change. */
export async function beginChange(label: string): Promise<Change> {
  return (await call(api.POST('/admin/api/changes', { body: { label } }))).data;
}

/** Takes an entry out of a change. */
export async function discardProposal(change: string, type: string, id: string): Promise<void> {
  const path = { change, collection: type, identifier: id };
  await call(api.DELETE('/admin/api/changes/{change}/entries/{collection}/{identifier}', { params: { path } }));
}

/** Fetches anew what is known of changes: something was proposed, discarded or published here. */
export function refreshChanges(workspace: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.changes(workspace) });
}

/** The screen of a change. */
export function changeLink(workspace: string, change: string): LinkProps {
  return { to: '/w/$workspace/changes/$change', params: { workspace, change } } as unknown as LinkProps;
}
