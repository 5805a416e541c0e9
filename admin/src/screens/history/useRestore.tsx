import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { AdminEntry } from '~/api/schema';
import { formatDateTime, t } from '~/i18n';
import type { Search } from '~/search-params';
import { confirm, showDone, showError, showWarnings } from '~/ui/feedback';
import { useWorkspace } from '~/workspace';
import { restoreBody } from './compare';
import { rowLabel } from './Timeline';
import type { Version } from './versions';

/** Brings back an earlier version, or one value of it. What is there now becomes a version itself. */
export function useRestore(type: ContentTypeShape, current: AdminEntry) {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [pending, setPending] = useState<string>();
  const path = { collection: type.name, identifier: current.id };
  const headers = { 'If-Match': `"${current.etag}"` };

  const attempt = async (what: string, act: () => Promise<{ meta?: Record<string, unknown> }>, done: string) => {
    setPending(what);
    try {
      const answer = await act();
      const toEntry = () => navigate({ to: '/w/$workspace/content/$type/$id', params: { workspace, type: type.name, id: current.id } });
      showDone(done, { label: t('revisions.openEntry'), onClick: () => void toEntry() });
      showWarnings(answer);
      // The newest version is what one wants to see now.
      await navigate({ to: '.', search: (before: Search) => ({ locale: before.locale }), replace: true, resetScroll: false });
    } catch (error) {
      if (isApiError(error, 'precondition_failed')) showDone(t('revisions.changedMeanwhile'));
      else showError(error);
    } finally {
      setPending(undefined);
      await queryClient.invalidateQueries({ queryKey: queryKeys.entries(workspace, type.name) });
      void queryClient.invalidateQueries({ queryKey: queryKeys.dashboard(workspace) });
    }
  };

  return {
    pending,
    async whole(version: Version) {
      const sure = await confirm({
        title: t('revisions.restoreTitle'),
        body: t('revisions.restoreBody', { time: formatDateTime(version.at) }),
        action: t('revisions.restore'),
      });
      if (!sure) return;
      const restore = () =>
        call(
          api.POST('/admin/api/content/{collection}/{identifier}/revisions/{revision}/restore', {
            params: { path: { ...path, revision: version.id } },
            headers,
          }),
        );
      await attempt(version.id, restore, t('revisions.restored', { time: formatDateTime(version.at) }));
    },
    async field(locale: string, name: string, value: unknown) {
      const change = () =>
        call(
          api.PATCH('/admin/api/content/{collection}/{identifier}', {
            params: { path },
            headers,
            body: restoreBody(type, locale, name, value),
          }),
        );
      await attempt(name, change, t('revisions.restoredField', { field: rowLabel(type, name) }));
    },
  };
}
