/** The requests of the editor. */
import { queryOptions } from '@tanstack/react-query';
import { PENDING } from '~/api/changes/change';
import { api, call, currentWorkspace } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { AdminEntry, AdminEntryInput } from '~/api/schema';
import { noteGone } from '~/api/stale';
import type { Shape } from './form/form';
import { LIVE } from './view';

/** Entries are read and answered in the root locale, in which all that they say can be told apart. */
const inRoot = (shape: Shape) => (shape.root_locale ? { locale: shape.root_locale } : {});

const ofView = (view: string) => (view === LIVE ? {} : { change: view });

/** An entry as it was stored, and where. */
export interface Stored {
  entry: AdminEntry;
  /** {@link LIVE}, or the change that it was proposed in. */
  view: string;
}

/** The server chooses the pending change by itself where somebody may not publish. */
function storedIn(asked: string, answer: { data: AdminEntry; meta?: unknown }): Stored {
  const { change } = (answer.meta ?? {}) as { change?: string };
  return { entry: answer.data, view: asked === LIVE && change !== undefined ? PENDING : asked };
}

export function entryQuery(workspace: string, shape: Shape, id: string, view: string) {
  return queryOptions({
    queryKey: queryKeys.editedEntry(workspace, shape.name, id, view),
    queryFn: () => readEntry(shape, id, view),
    // Whoever opens an entry edits what is there now.
    staleTime: 0,
    gcTime: 0,
  });
}

export async function readEntry(shape: Shape, id: string, view = LIVE): Promise<AdminEntry> {
  const params = { path: { collection: shape.name, identifier: id }, query: { ...inRoot(shape), ...ofView(view) } };
  return (await call(api.GET('/admin/api/content/{collection}/{identifier}', { params }))).data;
}

export async function createEntry(shape: Shape, body: AdminEntryInput, view = LIVE): Promise<Stored> {
  const params = { path: { collection: shape.name }, query: { ...inRoot(shape), ...ofView(view) } };
  return storedIn(view, await call(api.POST('/admin/api/content/{collection}', { params, body })));
}

/** Changes an entry, unless it is no longer the version that the change was made to. */
export async function changeEntry(shape: Shape, entry: AdminEntry, body: AdminEntryInput, view = LIVE): Promise<Stored> {
  const params = { path: { collection: shape.name, identifier: entry.id }, query: { ...inRoot(shape), ...ofView(view) } };
  const headers = { 'If-Match': `"${entry.etag}"` };
  return storedIn(view, await call(api.PATCH('/admin/api/content/{collection}/{identifier}', { params, headers, body })));
}

export async function duplicateEntry(shape: Shape, id: string): Promise<AdminEntry> {
  const path = { collection: shape.name, identifier: id };
  return (await call(api.POST('/admin/api/content/{collection}/{identifier}/duplicate', { params: { path } }))).data;
}

export async function trashEntry(type: string, id: string, view = LIVE): Promise<void> {
  const params = { path: { collection: type, identifier: id }, query: ofView(view) };
  await call(api.DELETE('/admin/api/content/{collection}/{identifier}', { params }));
  if (view === LIVE) noteGone(currentWorkspace(), type, id, true);
}

export async function restoreEntry(type: string, id: string): Promise<void> {
  const path = { collection: type, identifier: id };
  await call(api.POST('/admin/api/trash/{collection}/{identifier}/restore', { params: { path } }));
  noteGone(currentWorkspace(), type, id, false);
}
