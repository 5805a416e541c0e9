import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, call } from '~/api/client';
import { useCan } from '~/api/session';

/** The users of the installation by id, as far as the reader may know them. */
export function useUserNames(): ReadonlyMap<string, string> {
  const can = useCan();
  const { data } = useQuery({
    queryKey: ['users', 'names'],
    queryFn: async () => (await call(api.GET('/admin/api/users'))).data,
    staleTime: 5 * 60_000,
    enabled: can('users.read', 'users:*'),
  });
  return useMemo(() => new Map(data?.map((it) => [it.id, it.display_name || it.username])), [data]);
}
