import { useEffect, useState } from 'react';
import { api, call } from '~/api/client';
import { useServerEvents } from '~/api/events';
import { useMe } from '~/api/session';

export interface Person {
  id: string;
  name: string;
}

/** The interval between signs of presence, in milliseconds; the server forgets after 45 seconds. */
const EVERY = 20_000;

/** Says that one looks at an entry, as long as the page is in sight, and tells who else does. */
export function usePresence(workspace: string, type: string, id: string | undefined): readonly Person[] {
  const me = useMe();
  const [people, setPeople] = useState<readonly Person[]>([]);
  useEffect(() => {
    if (!id) return undefined;
    let left = false;
    const say = async (present: boolean) => {
      try {
        const { data } = await call(api.POST('/admin/api/presence', { body: { type, id, present } }));
        if (!left) setPeople(data.users);
      } catch {
        // Who is here is worth no message; it is asked again soon.
      }
    };
    const sayIfSeen = () => document.visibilityState === 'visible' && void say(true);
    sayIfSeen();
    const timer = setInterval(sayIfSeen, EVERY);
    document.addEventListener('visibilitychange', sayIfSeen);
    return () => {
      left = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', sayIfSeen);
      void say(false);
    };
  }, [type, id]);
  useServerEvents(({ event, workspace: where, data }) => {
    if (event !== 'presence' || where !== workspace || data.type !== type || data.id !== id) return;
    setPeople((data.users as Person[]).filter((it) => it.id !== me.id));
  });
  return people;
}
