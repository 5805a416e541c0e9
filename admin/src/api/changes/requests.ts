/** The requests about one change, and what it proposes for entries. */
import { api, call } from '../client';
import type { AdminEntryInput, Change, ChangeInput, EntryDiff, NewChange, NewPreview, PreviewInput } from '../schema';

const of = (change: string) => ({ params: { path: { change } } });

/** An entry by its content type and id. */
interface Place {
  collection: string;
  id: string;
}

/** Returns the differences that a change makes, by entry. */
export async function readDifferences(change: string, signal: AbortSignal | null = null): Promise<EntryDiff[]> {
  return (await call(api.GET('/admin/api/changes/{change}/diff', { ...of(change), signal }))).data;
}

/** Begins a named change. */
export async function createChange(body: NewChange): Promise<Change> {
  return (await call(api.POST('/admin/api/changes', { body }))).data;
}

/** Renames a change, plans it, closes it or opens it again. */
export async function updateChange(change: string, body: ChangeInput): Promise<Change> {
  return (await call(api.PUT('/admin/api/changes/{change}', { ...of(change), body }))).data;
}

/** Deletes a change with all that it proposes. */
export async function deleteChange(change: string): Promise<void> {
  await call(api.DELETE('/admin/api/changes/{change}', of(change)));
}

export async function publishChange(change: string): Promise<Change> {
  return (await call(api.POST('/admin/api/changes/{change}/publish', of(change)))).data;
}

/** Begins another change that takes a published one back. */
export async function revertChange(change: string): Promise<Change> {
  return (await call(api.POST('/admin/api/changes/{change}/revert', of(change)))).data;
}

export async function askForReview(change: string, note: string): Promise<Change> {
  return (await call(api.POST('/admin/api/changes/{change}/review', { ...of(change), body: { note } }))).data;
}

/** Takes a change back from its review, or asks for more work. */
export async function endReview(change: string, note: string): Promise<Change> {
  return (await call(api.DELETE('/admin/api/changes/{change}/review', { ...of(change), body: { note } }))).data;
}

export async function approveChange(change: string): Promise<Change> {
  return (await call(api.POST('/admin/api/changes/{change}/approve', of(change)))).data;
}

export async function withdrawApproval(change: string): Promise<Change> {
  return (await call(api.DELETE('/admin/api/changes/{change}/approve', of(change)))).data;
}

export async function createPreviewLink(change: string, body: PreviewInput): Promise<NewPreview> {
  return (await call(api.POST('/admin/api/changes/{change}/previews', { ...of(change), body }))).data;
}

export async function revokePreviewLink(change: string, link: string): Promise<void> {
  await call(api.DELETE('/admin/api/changes/{change}/previews/{link}', { params: { path: { change, link } } }));
}

const entryIn = (change: string, { collection, id }: Place) => ({ params: { path: { collection, identifier: id }, query: { change } } });

/** Proposes values of an entry. */
export async function proposeValues(change: string, entry: Place, body: AdminEntryInput): Promise<void> {
  await call(api.PUT('/admin/api/content/{collection}/{identifier}', { ...entryIn(change, entry), body }));
}

/** Proposes to delete an entry. */
export async function proposeDeletion(change: string, entry: Place): Promise<void> {
  await call(api.DELETE('/admin/api/content/{collection}/{identifier}', entryIn(change, entry)));
}

/** Takes an entry out of a change. */
export async function discardProposal(change: string, { collection, id }: Place): Promise<void> {
  const path = { change, collection, identifier: id };
  await call(api.DELETE('/admin/api/changes/{change}/entries/{collection}/{identifier}', { params: { path } }));
}
