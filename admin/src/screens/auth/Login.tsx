import { useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { isApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import type { Me } from '~/api/schema';
import { meQuery, storeMe } from '~/api/session';
import { BASE } from '~/base';
import { t } from '~/i18n';
import { AuthFrame } from './AuthFrame';
import { safeDestination } from './destination';
import { LoginForm } from './LoginForm';

/** The login page. It leads back to the page that was asked for. */
export default function Login() {
  const { to } = useSearch({ strict: false }) as { to?: string };
  const router = useRouter();
  const navigate = useNavigate();
  const proceed = useCallback(
    (me: Me) => {
      storeMe(me);
      router.history.replace(`${BASE}/admin${safeDestination(to)}`);
    },
    [router, to],
  );
  useEffect(() => {
    // Whoever was sent here by the router is known not to be logged in.
    if (queryClient.getQueryState(meQuery.queryKey)?.status === 'error') return;
    queryClient.fetchQuery(meQuery).then(proceed, (error: unknown) => {
      if (isApiError(error, 'not_set_up')) void navigate({ to: '/setup', replace: true });
    });
  }, [navigate, proceed]);
  return (
    <AuthFrame title={t('auth.logIn')} description={t('auth.logInHint')}>
      <LoginForm onDone={proceed} />
    </AuthFrame>
  );
}
