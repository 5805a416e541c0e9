import { useQueries, useQuery } from '@tanstack/react-query';
import { ACTIVE_STATES } from '~/api/changes/change';
import { changeListQuery } from '~/api/changes/queries';
import { request } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import type { AdminEntry, Change } from '~/api/schema';
import { useContentTypes, useMe } from '~/api/session';
import { changeName } from '../change';
import type { Happening } from './calendar';

/** The number of changes, and of entries of a type, that a month shows at most. */
const MOST = 500;

/** Returns what goes live and what ends between two moments; nothing while it is on its way. */
export function useHappenings(workspace: string, bounds: { from: string; until: string }) {
  const me = useMe();
  const types = useContentTypes(workspace);
  const states = [...ACTIVE_STATES, 'published'] as const;
  const changes = useQuery(changeListQuery(workspace, { states, limit: MOST, offset: 0 }));
  const entries = useQueries({
    queries: types.map((type) => entriesQuery(workspace, type, bounds)),
    combine: (answers) => ({
      pending: answers.some((it) => it.isPending),
      error: answers.find((it) => it.isError)?.error,
      found: answers.flatMap((it) => it.data ?? []),
      retry: () => answers.forEach((it) => void it.refetch()),
    }),
  });
  const found = [...(changes.data?.data ?? []).flatMap((it) => happeningsOf(it, me.id)), ...entries.found];
  return {
    happenings: found.filter(({ at }) => at >= bounds.from && at < bounds.until),
    pending: changes.isPending || entries.pending,
    error: changes.error ?? entries.error,
    retry: () => {
      void changes.refetch();
      entries.retry();
    },
  };
}

/** Returns what a change makes happen. */
function happeningsOf(change: Change, me: string): Happening[] {
  const title = changeName(change, me);
  const of = (kind: Happening['kind'], at: string | null): Happening[] =>
    at ? [{ key: `${kind}/${change.id}`, kind, at, title, id: change.id }] : [];
  if (change.state === 'published') return of('published', change.published_at);
  return [...of('publish', change.publish_at), ...of('end', change.publish_at ? change.unpublish_at : null)];
}

/** The entries of a type that become public by themselves, or end. */
function entriesQuery(workspace: string, type: ContentTypeShape, { from, until }: { from: string; until: string }) {
  return {
    queryKey: queryKeys.entryCalendar(workspace, type.name, from),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Happening[]> => {
      const ask = async (date: 'published_at' | 'unpublish_at', status: string) => {
        const query = new URLSearchParams({
          'filter[status][in]': status,
          [`filter[${date}][gte]`]: from,
          [`filter[${date}][lt]`]: until,
          sort: date,
          fields: 'title',
          limit: String(MOST),
        });
        return (await request<{ data: AdminEntry[] }>(`/admin/api/content/${encodeURIComponent(type.name)}`, { query, signal })).data;
      };
      const [begin, end] = await Promise.all([ask('published_at', 'scheduled'), ask('unpublish_at', 'published,scheduled')]);
      const of = (kind: 'entry' | 'entryEnd', entry: AdminEntry, at: string | null | undefined): Happening[] =>
        at ? [{ key: `${kind}/${type.name}/${entry.id}`, kind, at, title: entry.title, type: type.name, id: entry.id }] : [];
      return [...begin.flatMap((it) => of('entry', it, it.published_at)), ...end.flatMap((it) => of('entryEnd', it, it.unpublish_at))];
    },
  };
}
