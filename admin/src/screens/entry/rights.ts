/** The permissions of the reader for the open entry. */
import { useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { isSettled } from '~/api/permissions';
import { useCan, useMe } from '~/api/session';
import type { AdminEntry } from '~/api/schema';

export interface Rights {
  update: boolean;
  publish: boolean;
  remove: boolean;
  create: boolean;
  revisions: boolean;
}

const ASKED = ['content.update', 'content.publish', 'content.delete', 'content.revisions.read'] as const;

/**
 * Rights can hang on who wrote an entry and on its status, so the server is asked about this one,
 * if any of them does. Until it answers, what could be allowed is.
 */
export function useEntryRights(workspace: string, type: string, entry: AdminEntry | undefined, locale: string): Rights {
  const can = useCan();
  const me = useMe();
  const resource = `content:${type}:${entry?.id ?? '*'}`;
  const own = !entry || entry.author_id === me.id;
  const status = entry?.status ?? 'draft';
  const { data } = useQuery({
    queryKey: queryKeys.access({ workspace, resource, own, status, locale }),
    enabled: entry !== undefined && !ASKED.every((action) => isSettled(me.permissions, workspace, action, resource)),
    staleTime: 60_000,
    queryFn: async () => {
      const answers = await Promise.all(
        ASKED.map((action) =>
          call(
            api.POST('/admin/api/access-check', {
              body: { action, resource, own, status, ...(locale && { locales: [locale] }) },
            }),
          ),
        ),
      );
      return answers.map((it) => it.data.allowed);
    },
  });
  const may = (index: number) => data?.[index] ?? can(ASKED[index] ?? '', resource);
  const create = can('content.create', `content:${type}:*`);
  return {
    update: entry ? may(0) : create,
    publish: may(1),
    remove: entry !== undefined && may(2),
    create,
    revisions: may(3),
  };
}
