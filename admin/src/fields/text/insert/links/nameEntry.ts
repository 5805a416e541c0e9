import { currentWorkspace } from '~/api/client';
import { withoutBase } from '~/base';
import { formatReference } from './entries';

/** Gives the URL of an entry in this interface as a reference to it, and any other back as it is. */
export function nameEntry(address: string): string {
  if (!URL.canParse(address)) return address;
  const { origin, pathname } = new URL(address);
  const [, workspace, type, id] = /^\/admin\/w\/([^/]+)\/content\/([^/]+)\/([^/~]+)$/.exec(withoutBase(pathname)) ?? [];
  if (origin !== location.origin || workspace !== currentWorkspace() || !type || !id) return address;
  return formatReference({ type, id });
}
