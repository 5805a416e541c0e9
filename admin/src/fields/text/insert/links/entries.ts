/** Links to entries: `recto:type/id` names an entry for as long as it exists, whatever its address is. */

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
