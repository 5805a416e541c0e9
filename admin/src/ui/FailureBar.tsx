import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { isApiError } from '~/api/error';
import { t } from '~/i18n';
import { CopyButton } from './CopyButton';
import classes from './FailureBar.module.css';
import { useCountdown } from './useCountdown';

interface FailureBarProps {
  /** The reason that the last save came to nothing: another object for each save. */
  failure: { error: unknown };
  busy: boolean;
  onRetry: () => void;
}

/** The bar about a save that came to nothing, which stays until one succeeds. */
export function FailureBar({ failure, busy, onRetry }: FailureBarProps) {
  const wait = useRetry(failure, onRetry);
  const { error } = failure;
  const requestId = isApiError(error) && error.status >= 500 ? error.refusal.request_id : undefined;
  return (
    <div className={classes.bar} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <Text component="div" size="sm" className={classes.text}>
        <b>{t('saving.failed')}</b> {messageOf(error)} {wait > 0 && <span aria-hidden>{t('saving.waiting', { count: wait })}</span>}
      </Text>
      <Group gap={4} wrap="nowrap">
        {requestId && <CopyButton value={requestId} label={t('general.copyRequestId')} />}
        <Button size="compact-sm" variant="default" loading={busy} onClick={onRetry}>
          {t('general.retry')}
        </Button>
      </Group>
    </div>
  );
}

function messageOf(error: unknown): string {
  if (!isApiError(error)) return t('general.failedHint');
  return error.offline ? t('saving.offline') : error.message;
}

/** Tries again by itself where the server says when; returns the seconds until then. */
function useRetry(failure: FailureBarProps['failure'], retry: () => void): number {
  const [left, start] = useCountdown();
  const latest = useRef(retry);
  useEffect(() => {
    latest.current = retry;
  });
  useEffect(() => {
    const seconds = secondsToWait(failure);
    if (seconds === 0) return undefined;
    start(seconds);
    const timer = setTimeout(() => latest.current(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [failure, start]);
  return secondsToWait(failure) === 0 ? 0 : left;
}

/** Returns the time after which the server takes a save again, if it said that it will. */
function secondsToWait(failure: FailureBarProps['failure']): number {
  const error = failure.error;
  return isApiError(error) && error.status === 429 ? (error.refusal.retry_after ?? 5) : 0;
}
