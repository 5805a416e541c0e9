/** Workspaces: how they are asked for and changed. */
import { queryOptions } from '@tanstack/react-query';
import { api, call, currentWorkspace, request } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { Workspace, WorkspaceUpdate } from '~/api/schema';
import { meQuery } from '~/api/session';
import { t } from '~/i18n';
import { confirm, showDone } from '~/ui/feedback';
import { enterWorkspace } from '~/workspace';

/** All workspaces, archived ones too. */
export const workspacesQuery = queryOptions({
  queryKey: queryKeys.allWorkspaces,
  queryFn: async (): Promise<readonly Workspace[]> =>
    (await call(api.GET('/admin/api/workspaces', { params: { query: { archived: true } } }))).data,
});

/** Fetches anew what shows workspaces: the list, and the switcher beside every screen. */
export async function refreshWorkspaces(): Promise<void> {
  await Promise.all(
    [queryKeys.workspaces, queryKeys.me, queryKeys.app, queryKeys.settings].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

export async function updateWorkspace(slug: string, body: WorkspaceUpdate): Promise<Workspace> {
  const { data } = await call(api.PUT('/admin/api/workspaces/{workspace}', { params: { path: { workspace: slug } }, body }));
  await refreshWorkspaces();
  return data;
}

export async function uploadIcon(slug: string, file: File): Promise<void> {
  const body = new FormData();
  body.append('icon', file);
  await request(`/admin/api/workspaces/${encodeURIComponent(slug)}/icon`, { method: 'POST', body });
  await refreshWorkspaces();
}

export async function removeIcon(slug: string): Promise<void> {
  await call(api.DELETE('/admin/api/workspaces/{workspace}/icon', { params: { path: { workspace: slug } } }));
  await refreshWorkspaces();
}

/** Asks, and makes a workspace the default one. */
export async function makeDefault({ slug, label }: Workspace): Promise<void> {
  const yes = await confirm({
    title: t('workspaces.defaultTitle', { name: label }),
    body: t('workspaces.defaultBody'),
    action: t('workspaces.makeDefault'),
  });
  if (!yes) return;
  await updateWorkspace(slug, { default: true });
  showDone(t('workspaces.defaultDone', { name: label }));
}

/** Puts a workspace away, after asking, or brings it back. */
export async function toggleArchived({ slug, label, archived }: Workspace): Promise<void> {
  if (!archived) {
    const yes = await confirm({
      title: t('workspaces.archiveTitle', { name: label }),
      body: t('workspaces.archiveBody', { folder: `workspaces/${slug}` }),
      action: t('workspaces.archive'),
      danger: true,
      typed: slug,
    });
    if (!yes) return;
    // Nobody stays in a workspace that is put away.
    const me = queryClient.getQueryData(meQuery.queryKey);
    if (currentWorkspace() === slug && me) enterWorkspace(me.default_workspace);
  }
  await updateWorkspace(slug, { archived: !archived });
  showDone(t(archived ? 'workspaces.unarchived' : 'workspaces.archivedDone', { name: label }));
}
