/** The links to screens that several others lead to. */
import type { LinkProps } from '@tanstack/react-router';

/** The list of changes. */
export function changesLink(workspace: string): LinkProps {
  return { to: '/w/$workspace/changes', params: { workspace } };
}

/** The screen of a change. */
export function changeLink(workspace: string, change: string): LinkProps {
  return { to: '/w/$workspace/changes/$change', params: { workspace, change } };
}

/** The editor of an entry, with the version that a change has of it if one is given. */
export function entryLink(workspace: string, entry: { collection: string; id: string }, change?: string): LinkProps {
  const { collection: type, id } = entry;
  return { to: '/w/$workspace/content/$type/$id', params: { workspace, type, id }, ...(change !== undefined && { search: { change } }) };
}
