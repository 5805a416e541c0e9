/** The requests of the editor. */
import { queryOptions } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { AdminEntry, AdminEntryInput } from '~/api/schema';
import type { Shape } from './form/form';

/** Entries are read and answered in the root locale, in which all that they say can be told apart. */
const inRoot = (shape: Shape) => (shape.root_locale ? { locale: shape.root_locale } : {});

export function entryQuery(workspace: string, shape: Shape, id: string) {
  return queryOptions({
    queryKey: queryKeys.editedEntry(workspace, shape.name, id),
    queryFn: () => readEntry(shape, id),
    // Whoever opens an entry edits what is there now.
    staleTime: 0,
    gcTime: 0,
  });
}

export async function readEntry(shape: Shape, id: string): Promise<AdminEntry> {
  const path = { collection: shape.name, identifier: id };
  return (await call(api.GET('/admin/api/content/{collection}/{identifier}', { params: { path, query: inRoot(shape) } }))).data;
}

export async function createEntry(shape: Shape, body: AdminEntryInput): Promise<AdminEntry> {
  const params = { path: { collection: shape.name }, query: inRoot(shape) };
  return (await call(api.POST('/admin/api/content/{collection}', { params, body }))).data;
}

/** Changes an entry, unless it is no longer the version that the change was made to. */
export async function changeEntry(shape: Shape, entry: AdminEntry, body: AdminEntryInput): Promise<AdminEntry> {
  const params = { path: { collection: shape.name, identifier: entry.id }, query: inRoot(shape) };
  const headers = { 'If-Match': `"${entry.etag}"` };
  return (await call(api.PATCH('/admin/api/content/{collection}/{identifier}', { params, headers, body }))).data;
}

export async function duplicateEntry(shape: Shape, id: string): Promise<AdminEntry> {
  const path = { collection: shape.name, identifier: id };
  return (await call(api.POST('/admin/api/content/{collection}/{identifier}/duplicate', { params: { path } }))).data;
}

export async function trashEntry(type: string, id: string): Promise<void> {
  const path = { collection: type, identifier: id };
  await call(api.DELETE('/admin/api/content/{collection}/{identifier}', { params: { path } }));
}

export async function restoreEntry(type: string, id: string): Promise<void> {
  const path = { collection: type, identifier: id };
  await call(api.POST('/admin/api/trash/{collection}/{identifier}/restore', { params: { path } }));
}
