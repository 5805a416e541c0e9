import { Alert, Button, Group } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useCallback, useEffect, useState } from 'react';
import { onReachable } from '~/api/client';
import { queryClient } from '~/api/query';
import { withBase } from '~/base';
import { t } from '~/i18n';

/** Milliseconds between two tries to reach the server. */
const PAUSE = 4000;

/** Says that the server does not answer, and tries again by itself until it does. */
export function NetworkBanner() {
  const [reachable, setReachable] = useState(true);
  useEffect(() => onReachable(setReachable), []);
  const tryAgain = useCallback(async () => {
    // One that nobody answers must not keep the connection from the next.
    const answer = await fetch(withBase('/healthz'), { signal: AbortSignal.timeout(PAUSE) }).catch(() => undefined);
    // A proxy may answer for a server that does not.
    if (!answer?.ok) return;
    setReachable(true);
    void queryClient.invalidateQueries();
  }, []);
  useEffect(() => {
    if (reachable) return undefined;
    const timer = setInterval(tryAgain, PAUSE);
    return () => {
      clearInterval(timer);
      // Any request may find that it is back. What failed before that still says that it is away.
      void queryClient.invalidateQueries({ predicate: ({ state }) => state.status === 'error' });
    };
  }, [reachable, tryAgain]);
  if (reachable) return null;
  return (
    <Alert color="amber" icon={<IconPlugConnectedX aria-hidden />} mb="md" role="alert" title={t('general.offline')}>
      <Group justify="space-between">
        {t('general.offlineHint')}
        <Button size="compact-sm" variant="default" onClick={tryAgain}>
          {t('general.retry')}
        </Button>
      </Group>
    </Alert>
  );
}
