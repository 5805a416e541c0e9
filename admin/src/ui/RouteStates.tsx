import { Center, Loader } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import { reloadOnce } from '~/fresh';
import { t } from '~/i18n';
import { ErrorState } from './ErrorState';
import { PageHead } from './PageHead';

/** What shows while a screen is on its way. */
export function Loading() {
  return (
    <Center mih={240} role="status" aria-label={t('common.loading')}>
      <Loader size="sm" />
    </Center>
  );
}

/** The error boundary of every screen: the rest of the page stays usable. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  useEffect(() => {
    // The chunk of a screen went with the build it belonged to.
    if (error instanceof Error && /dynamically imported module|module script failed/i.test(error.message)) reloadOnce();
  }, [error]);
  return (
    <>
      <PageHead title={isApiError(error, 'not_found') ? t('common.notFound') : t('common.failed')} />
      <ErrorState
        error={error}
        onRetry={() => {
          queryClient.resetQueries({ predicate: (query) => query.state.status === 'error' });
          reset();
          router.invalidate();
        }}
      />
    </>
  );
}
