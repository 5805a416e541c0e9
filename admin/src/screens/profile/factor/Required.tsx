import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { queryClient } from '~/api/query';
import { meQuery } from '~/api/session';
import { BASE } from '~/base';
import { t } from '~/i18n';
import { AuthFrame } from '~/screens/auth/AuthFrame';
import { safeDestination } from '~/screens/auth/destination';
import { logOut } from '~/shell/logout';
import { ErrorState } from '~/ui/ErrorState';
import { showError } from '~/ui/feedback';
import { SetUp } from './SetUp';

/** The page for whoever has to set up a second factor before anything else. It leads on to what was asked for. */
export default function Required() {
  const { to } = useSearch({ strict: false }) as { to?: string };
  const router = useRouter();
  const me = useQuery(meQuery);
  const proceed = useCallback(() => {
    // What was read while hardly anything was allowed is of no use.
    queryClient.clear();
    router.history.replace(`${BASE}/admin${safeDestination(to)}`);
  }, [router, to]);
  const isNeeded = me.data?.must_set_up_second_factor;
  useEffect(() => {
    // Also for whoever is not logged in: the page that was asked for knows where to go.
    if (isNeeded === false || me.isError) proceed();
    // The answer at the beginning counts: the recovery codes are shown after the set-up.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [me.isSuccess, me.isError]);
  return (
    <AuthFrame title={t('profile.factor.requiredTitle')} description={t('profile.factor.requiredHint')}>
      {me.isError ? <ErrorState error={me.error} /> : me.data && <SetUp onDone={proceed} />}
      <Button variant="subtle" mt="md" onClick={() => logOut(router.history).catch(showError)}>
        {t('shell.logOut')}
      </Button>
    </AuthFrame>
  );
}
