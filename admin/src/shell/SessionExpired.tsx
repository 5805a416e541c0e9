import { useEffect, useEffectEvent, useState } from 'react';
import { onSessionEnded } from '~/api/client';
import { openEvents } from '~/api/events';
import { queryClient } from '~/api/query';
import type { Me } from '~/api/schema';
import { logInByProxy, storeMe, useMe } from '~/api/session';
import { PROXY } from '~/base';
import { later } from '~/ui/later';
import { isLoggingOut } from './logout';

const ExpiredDialog = later(() => import('./overlays').then((it) => it.ExpiredDialog));

/** Asks to log in again over the page, so that nothing unsaved is lost. */
export function SessionExpired() {
  const [ended, setEnded] = useState(false);
  const before = useMe();
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
  const goOnNow = useEffectEvent(goOn);
  useEffect(() => {
    let isAsking = false;
    return onSessionEnded(() => {
      if (isLoggingOut() || isAsking) return;
      if (!PROXY) {
        setEnded(true);
        return;
      }
      // Whoever is logged in at the proxy needs no dialog; else the proxy shows its own page.
      isAsking = true;
      logInByProxy().then(
        (me) => {
          isAsking = false;
          goOnNow(me);
        },
        () => location.reload(),
      );
    });
  }, []);
  return ended ? <ExpiredDialog username={before.username} onDone={goOn} /> : null;
}
