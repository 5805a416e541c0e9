import { Center, Loader } from '@mantine/core';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { isApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import { type Key, t } from '~/i18n';
import { ErrorState } from './ErrorState';
import { PageHead } from './PageHead';
import { Waiting } from './Waiting';

/** The placeholder of a screen that is loading. */
export function Loading() {
  return (
    <Waiting>
      <Center mih={240}>
        <Loader size="sm" />
      </Center>
    </Waiting>
  );
}

/** The error boundary of every screen: the rest of the page stays usable. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <>
      <PageHead title={t(titleOf(error))} />
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

function titleOf(error: unknown): Key {
  if (isApiError(error, 'offline')) return 'general.offline';
  return isApiError(error, 'not_found') ? 'general.notFound' : 'general.failed';
}
