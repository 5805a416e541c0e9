/** Links to entries: `recto:type/id` names an entry for as long as it exists, whatever its address is. */
import { currentWorkspace } from '~/api/client';
import { withoutBase } from '~/base';

/** The entry that a link names. */
export interface EntryReference {
  type: string;
  id: string;
}

const REFERENCE = /^recto:([a-z0-9_-]+)\/([^\s/?#]+)$/;

/** Returns the entry that an address names; nothing if it is another address. */
export function parseReference(address: string): EntryReference | undefined {
  const [, type, id] = REFERENCE.exec(address) ?? [];
  return type && id ? { type, id } : undefined;
}

export function formatReference({ type, id }: EntryReference): string {
  return `recto:${type}/${id}`;
}

/** Gives the URL of an entry in this interface as a reference to it, and any other back as it is. */
export function nameEntry(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  const [, workspace, type, id] = /^\/admin\/w\/([^/]+)\/content\/([^/]+)\/([^/~]+)$/.exec(withoutBase(pathname)) ?? [];
  if (origin !== location.origin || workspace !== currentWorkspace() || !type || !id) return address;
  return formatReference({ type, id });
}
