import { useMemo } from 'react';
import { usePeople } from '~/api/people';

/** The users of the installation by id, as far as the reader may know them. */
export function useUserNames(): ReadonlyMap<string, string> {
  const people = usePeople();
  return useMemo(() => new Map(people?.map((it) => [it.id, it.name])), [people]);
}
