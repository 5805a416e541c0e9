import { Button, Code } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { ApiError } from '~/api/error';
import { t } from '~/i18n';
import { EmptyState, NoPermission } from './EmptyState';

/** The error of a failed request, and a button to try again. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const refused = error instanceof ApiError ? error : undefined;
  if (refused?.status === 403) return <NoPermission />;
  const retry = onRetry && (
    <Button variant="default" onClick={onRetry}>
      {t('general.retry')}
    </Button>
  );
  if (refused?.offline) {
    return (
      <EmptyState icon={IconPlugConnectedX} title={t('general.offline')} action={retry}>
        {t('general.offlineHint')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconAlertTriangle}
      title={refused?.status === 404 ? t('general.notFound') : t('general.failed')}
      action={refused?.status === 404 ? undefined : retry}
    >
      {refused ? refused.message : t('general.failedHint')}
      {refused?.refusal.request_id && refused.status >= 500 && (
        <div>
          {t('general.requestId')} <Code>{refused.refusal.request_id}</Code>
        </div>
      )}
    </EmptyState>
  );
}
