import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { isApiError } from '~/api/error';
import { t } from '~/i18n';

interface RefusedAlertProps {
  error: unknown;
  /** A better text for some errors. */
  text?: string | undefined;
}

/** The reason that logging in or setting up failed for. */
export function RefusedAlert({ error, text }: RefusedAlertProps) {
  const reason = isApiError(error, 'offline') ? t('general.offline') : error instanceof Error ? error.message : t('general.failed');
  return (
    <Alert color="red" variant="light" role="alert" icon={<IconAlertCircle size={18} aria-hidden />}>
      {text ?? reason}
    </Alert>
  );
}
