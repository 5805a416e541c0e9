import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { useCan, useMe } from '~/api/session';

/** Whoever can be named: what records call them, and what people do. */
export interface Person {
  id: string;
  name: string;
}

/** More users than the installation is likely to have, so that a name is rarely missing. */
const MOST = 500;

export const peopleQuery = queryOptions({
  queryKey: ['users', 'people'],
  queryFn: async (): Promise<Person[]> => {
    const { data } = await call(api.GET('/admin/api/users', { params: { query: { limit: MOST } } }));
    return data.map((it) => ({ id: it.id, name: it.display_name || it.username }));
  },
  staleTime: 60_000,
});

/** All users for those who may read them, else oneself alone. */
export function usePeople(): readonly Person[] {
  const me = useMe();
  const can = useCan();
  const { data } = useQuery({ ...peopleQuery, enabled: can('users.read', 'users:*') });
  return data ?? [{ id: me.id, name: me.display_name || me.username }];
}
