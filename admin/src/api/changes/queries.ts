/** The queries of changes that several screens share. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { api, call, request } from '../client';
import { isApiError } from '../error';
import { queryKeys } from '../keys';
import { queryClient } from '../query';
import type { Change } from '../schema';
import { ACTIVE_STATES, type ChangeState, PENDING } from './change';

/** More changes than are worked on at a time, so that a name is rarely missing. */
const MOST = 100;

/** Milliseconds for which what many screens ask for is kept: events tell when it is another. */
const staleTime = 60_000;

/** A change; the own pending one is known as {@link PENDING}. */
export function changeQuery(workspace: string, change: string) {
  return queryOptions({
    queryKey: queryKeys.change(workspace, change),
    queryFn: async ({ signal }) => (await call(api.GET('/admin/api/changes/{change}', { params: { path: { change } }, signal }))).data,
  });
}

/** The own pending change. */
export function pendingQuery(workspace: string) {
  return { ...changeQuery(workspace, PENDING), staleTime };
}

/** Returns the own pending change: nothing while it is on its way, `null` where it cannot be read. */
export function usePendingChange(workspace: string, enabled = true): Change | null | undefined {
  const { data, error } = useQuery({ ...pendingQuery(workspace), enabled, retryOnMount: false });
  return error && (!data || isApiError(error, 'not_found')) ? null : data;
}

interface ListAsked {
  states: readonly ChangeState[];
  limit: number;
  offset: number;
}

/** A page of the changes in some states, or in any, the latest begun first. */
export function changeListQuery(workspace: string, { states, limit, offset }: ListAsked) {
  const asked = { ...(states.length > 0 && { state: states.join(',') }), limit: String(limit), ...(offset > 0 && { offset: String(offset) }) };
  return queryOptions({
    queryKey: queryKeys.changeList(workspace, asked),
    queryFn: ({ signal }) =>
      request<{ data: Change[]; meta: { total: number } }>('/admin/api/changes', { query: new URLSearchParams(asked), signal }),
    placeholderData: keepPreviousData,
  });
}

const dataOf = ({ data }: { data: Change[] }) => data;

/** The changes that are worked on, the latest begun first. */
export function activeChangesQuery(workspace: string) {
  return { ...changeListQuery(workspace, { states: ACTIVE_STATES, limit: MOST, offset: 0 }), staleTime, select: dataOf };
}

/** Fetches anew what is known of changes: something was proposed, discarded or published here. */
export function refreshChanges(workspace: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.changes(workspace) });
}
