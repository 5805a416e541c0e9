import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, call } from './client';
import { queryKeys } from './keys';
import { useCan, useMe } from './session';

/** A user as others name them. */
export interface Person {
  id: string;
  name: string;
}

/** More users than the installation is likely to have, so that a name is rarely missing. */
const MOST = 500;

const peopleQuery = queryOptions({
  queryKey: queryKeys.people,
  queryFn: async (): Promise<Person[]> => {
    const { data } = await call(api.GET('/admin/api/users', { params: { query: { limit: MOST } } }));
    return data.map((it) => ({ id: it.id, name: it.display_name || it.username }));
  },
  staleTime: 60_000,
});

/** Returns the users; nothing until they are there, and for whoever may not read them. */
export function usePeople(): readonly Person[] | undefined {
  const can = useCan();
  return useQuery({ ...peopleQuery, enabled: can('users.read', 'users:*') }).data;
}

/** Returns the users, or the reader alone where the others are not known. */
export function usePeopleOrSelf(): readonly Person[] {
  const me = useMe();
  return usePeople() ?? [{ id: me.id, name: me.display_name || me.username }];
}
