/** The workspace of the page: that of its address, else the one looked at last. */
import { useParams } from '@tanstack/react-router';
import { currentWorkspace, setWorkspace } from './api/client';
import { queryClient } from './api/query';
import type { Me } from './api/schema';

const KEY = 'recto.workspace';

/** Makes a workspace the one that requests are about. */
export function enterWorkspace(slug: string): void {
  const before = currentWorkspace();
  setWorkspace(slug);
  if (before && before !== slug) {
    // What the page that is being left still asks for would be answered by the other workspace.
    queryClient.removeQueries({ predicate: ({ queryKey: [first] }) => first === before || first === slug });
  }
  try {
    localStorage.setItem(KEY, slug);
  } catch {
    // The default one will be shown next time.
  }
}

/** The workspace to begin with: the last one, if it is still there. */
export function startingWorkspace(me: Me): string {
  let last: string | null = null;
  try {
    last = localStorage.getItem(KEY);
  } catch {
    // Then the default one.
  }
  return me.workspaces.some((it) => it.slug === last) && last ? last : me.default_workspace;
}

/** The slug of the workspace that the page is about. */
export function useWorkspace(): string {
  const params = useParams({ strict: false }) as { workspace?: string };
  return params.workspace ?? currentWorkspace();
}
