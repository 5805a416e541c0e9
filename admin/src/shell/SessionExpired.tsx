import { useEffect, useState } from 'react';
import { onSessionEnded } from '~/api/client';
import { openEvents } from '~/api/events';
import { queryClient } from '~/api/query';
import type { Me } from '~/api/schema';
import { storeMe, useMe } from '~/api/session';
import { later } from '~/ui/later';
import { isLoggingOut } from './logout';

const ExpiredDialog = later(() => import('./overlays').then((it) => it.ExpiredDialog));

/** Asks to log in again over the page, so that nothing unsaved is lost. */
export function SessionExpired() {
  const [ended, setEnded] = useState(false);
  const before = useMe();
  useEffect(
    () =>
      onSessionEnded(() => {
        if (!isLoggingOut()) setEnded(true);
      }),
    [],
  );
  const goOn = (me: Me) => {
    // Somebody else sees other things, and nothing of what this one was writing is theirs.
    if (me.id !== before.id) {
      location.reload();
      return;
    }
    storeMe(me);
    setEnded(false);
    openEvents();
    void queryClient.invalidateQueries();
  };
  return ended ? <ExpiredDialog username={before.username} onDone={goOn} /> : null;
}
