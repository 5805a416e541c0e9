/** The requests of the screen. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { request } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { ActivityRow, EntryDiff, NewPreview } from '~/api/schema';
import { isSameValue } from '~/diff/values';
import { type Change, isActive, type Proposal } from './change';
import { bodyOfPaths, type ConflictValues } from './detail/fields';
import type { Impact } from './detail/impact';

const ROOT = '/admin/api/changes';

export interface ChangeList {
  data: Change[];
  meta: { total: number };
}

function path(id: string, ...rest: string[]): string {
  return [ROOT, ...[id, ...rest].map(encodeURIComponent)].join('/');
}

function fetchList(query: object, signal: AbortSignal): Promise<ChangeList> {
  const given = Object.entries(query).filter(([, value]) => value !== '' && value !== 0);
  return request<ChangeList>(ROOT, { query: new URLSearchParams(given.map(([key, value]) => [key, String(value)])), signal });
}

/** A page of the changes in some states. */
export function changeListQuery(workspace: string, query: { state: string; limit: number; offset: number }) {
  return queryOptions({
    queryKey: queryKeys.changeList(workspace, query),
    queryFn: ({ signal }) => fetchList(query, signal),
    placeholderData: keepPreviousData,
  });
}

/** Milliseconds after which a change that is worked on is looked at again: the server tells of no single proposal. */
const LOOK_AGAIN = 10_000;

export function changeQuery(workspace: string, id: string) {
  return queryOptions({
    queryKey: queryKeys.change(workspace, id),
    queryFn: async ({ signal }) => (await request<{ data: Change }>(path(id), { signal })).data,
    refetchInterval: ({ state: { data } }) => (data && isActive(data) ? LOOK_AGAIN : false),
  });
}

export function diffQuery(workspace: string, id: string) {
  return queryOptions({
    queryKey: queryKeys.changeDiff(workspace, id),
    queryFn: async ({ signal }) => (await request<{ data: EntryDiff[] }>(path(id, 'diff'), { signal })).data,
  });
}

export function impactQuery(workspace: string, id: string) {
  return queryOptions({
    queryKey: queryKeys.changeImpact(workspace, id),
    queryFn: async ({ signal }) => (await request<{ data: Impact }>(path(id, 'impact'), { signal })).data,
  });
}

/** The number of rows of the activity log that are searched for those of one change. */
const ROWS_MAX = 500;

/** The activity of one change, the latest first. */
export function historyQuery(workspace: string, id: string) {
  return queryOptions({
    queryKey: queryKeys.changeHistory(workspace, id),
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ type: 'change', workspace, limit: String(ROWS_MAX) });
      const { data } = await request<{ data: ActivityRow[] }>('/admin/api/activity', { query, signal });
      return data.filter((it) => it.details?.change === id);
    },
  });
}

async function send<T = Change>(method: string, to: string, json?: unknown): Promise<T> {
  return (await request<{ data: T }>(to, { method, json })).data;
}

/** The changes of a change. */
export const changes = {
  create: (body: { label: string; note: string }) => send('POST', ROOT, body),
  update: (id: string, body: Partial<Pick<Change, 'label' | 'note' | 'publish_at' | 'unpublish_at'>> & { closed?: boolean }) =>
    send('PUT', path(id), body),
  remove: (id: string) => send<unknown>('DELETE', path(id)),
  publish: (id: string) => send('POST', path(id, 'publish')),
  revert: (id: string) => send('POST', path(id, 'revert')),
  askForReview: (id: string, note: string) => send('POST', path(id, 'review'), { note }),
  endReview: (id: string, note: string) => send('DELETE', path(id, 'review'), { note }),
  approve: (id: string) => send('POST', path(id, 'approve')),
  withdrawApproval: (id: string) => send('DELETE', path(id, 'approve')),
  discard: (id: string, collection: string, entry: string) => send<unknown>('DELETE', path(id, 'entries', collection, entry)),
  createPreview: (id: string, body: { entry?: string; days: number }) => send<NewPreview>('POST', path(id, 'previews'), body),
  revokePreview: (id: string, link: string) => send<unknown>('DELETE', path(id, 'previews', link)),
};

/** Changes of an entry that are proposed in a change. */
export const proposals = {
  update: (change: string, collection: string, entry: string, body: unknown) =>
    send<unknown>('PUT', proposalPath(change, collection, entry), body),
  remove: (change: string, collection: string, entry: string) => send<unknown>('DELETE', proposalPath(change, collection, entry)),
};

function proposalPath(change: string, collection: string, entry: string): string {
  return `/admin/api/content/${encodeURIComponent(collection)}/${encodeURIComponent(entry)}?change=${encodeURIComponent(change)}`;
}

/**
 * Saves by which values the conflicts of an entry are solved. The first save finds out whether they are
 * accepted. A proposal is in conflict until it has the live values once, so it gets those, and then the
 * chosen ones: the last save builds on what is live.
 */
export async function solveConflicts(
  change: string,
  { collection, id }: Pick<Proposal, 'collection' | 'id'>,
  { chosen, live }: ConflictValues,
  rootLocale: string | undefined,
): Promise<void> {
  const save = (values: ConflictValues['chosen']) => proposals.update(change, collection, id, bodyOfPaths(values, rootLocale));
  await save(chosen);
  if (isSameValue(chosen, live)) return;
  await save(live);
  await save(chosen);
}

/** Marks all that was fetched of changes as stale. */
export function refreshChanges(workspace: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.changes(workspace) });
}
