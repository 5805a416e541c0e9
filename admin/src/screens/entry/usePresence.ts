import { useDocumentVisibility } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { api, call } from '~/api/client';
import { useServerEvents } from '~/api/events';
import { useMe } from '~/api/session';
import { isGone } from '~/api/stale';

export interface Person {
  id: string;
  name: string;
}

/** The interval between signs of presence, in milliseconds; the server forgets after 45 seconds. */
const EVERY = 20_000;

/** Tells the server who looks at an entry, as long as the page is in sight, and returns who else does. */
export function usePresence(workspace: string, type: string, id: string | undefined): readonly Person[] {
  const me = useMe();
  const [people, setPeople] = useState<readonly Person[]>([]);
  // Until it has heard of a change, the hook takes every page for visible.
  const inSight = useDocumentVisibility() === 'visible' && document.visibilityState === 'visible';
  useEffect(() => {
    if (!id || !inSight) return undefined;
    let stopped = false;
    const say = async () => {
      if (isGone(workspace, type, id)) return;
      const users = await sendPresence(type, id, true);
      if (users && !stopped) setPeople(users);
    };
    void say();
    const timer = setInterval(say, EVERY);
    return () => {
      stopped = true;
      clearInterval(timer);
    };
  }, [workspace, type, id, inSight]);
  useEffect(() => {
    if (!id) return undefined;
    // Nobody is present at what is in the trash.
    return () => void (isGone(workspace, type, id) || sendPresence(type, id, false));
  }, [workspace, type, id]);
  useServerEvents(({ event, workspace: where, data }) => {
    if (event !== 'presence' || where !== workspace || data.type !== type || data.id !== id) return;
    setPeople((data.users as Person[]).filter((it) => it.id !== me.id));
  });
  return people;
}

async function sendPresence(type: string, id: string, present: boolean): Promise<readonly Person[] | undefined> {
  try {
    return (await call(api.POST('/admin/api/presence', { body: { type, id, present } }))).data.users;
  } catch {
    // Nobody needs a message about this; it is sent again soon.
    return undefined;
  }
}
