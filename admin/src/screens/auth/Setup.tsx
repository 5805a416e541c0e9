import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import { meQuery, storeMe } from '~/api/session';
import { t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { enterWorkspace } from '~/workspace';
import { AuthFrame } from './AuthFrame';
import { SetupForm } from './SetupForm';
import { Welcome } from './Welcome';

/** The first page of all: makes the account that may do everything. */
export default function Setup() {
  const { token } = useSearch({ strict: false }) as { token?: string };
  const navigate = useNavigate();
  useEffect(() => {
    // Where somebody is logged in, or could be, there is nothing left to set up.
    queryClient.fetchQuery(meQuery).then(
      () => navigate({ to: '/', replace: true }),
      (error: unknown) => {
        if (isApiError(error, 'unauthenticated')) void navigate({ to: '/login', replace: true });
      },
    );
  }, [navigate]);
  return (
    <AuthFrame title={t('auth.setup')} description={t('auth.setupHint')} aside={<Welcome />}>
      <SetupForm
        token={token ?? ''}
        onDone={(me) => {
          storeMe(me);
          enterWorkspace(me.default_workspace);
          void navigate({ to: '/w/$workspace', params: { workspace: me.default_workspace }, replace: true });
        }}
        onSetUp={() => {
          showDone(t('auth.alreadySetUp'));
          void navigate({ to: '/login', replace: true });
        }}
      />
    </AuthFrame>
  );
}
