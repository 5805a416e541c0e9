import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { onReachable } from '~/api/client';
import { isApiError } from '~/api/error';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { CopyButton } from './CopyButton';
import classes from './FailureBar.module.css';
import { useCountdown } from './useCountdown';

interface FailureBarProps {
  /** The reason that the last save came to nothing: another object for each save. */
  failure: { error: unknown };
  busy: boolean;
  /**
   * True if only the user may try again after an outage: what readers see would change by what was typed since, or
   * an answer that was lost may have told of something new.
   */
  byHand?: boolean;
  onRetry: () => void;
}

/** The bar about a save that came to nothing, which stays until one succeeds. */
export function FailureBar({ failure, busy, byHand = false, onRetry }: FailureBarProps) {
  const wait = useRetry(failure, byHand, onRetry);
  const isBack = useIsBack(failure.error);
  const { error } = failure;
  const requestId = isApiError(error) && error.status >= 500 ? error.refusal.request_id : undefined;
  return (
    <div className={classes.bar} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <Text component="div" size="sm" className={classes.text}>
        <b>{t('saving.failed')}</b> {isBack ? t('saving.back') : messageOf(error)} {wait > 0 && <span aria-hidden>{t('saving.waiting', { count: wait })}</span>}
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
  if (error.code === 'unauthenticated') return t('auth.expired');
  return error.offline ? t('saving.offline') : error.message;
}

/**
 * Tries again by itself: where the server says when, once it answers again, and for whoever has logged
 * in again. Returns the seconds until then, where they are known.
 */
function useRetry(failure: FailureBarProps['failure'], byHand: boolean, retry: () => void): number {
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
  useRetryAfterOutage(byHand ? undefined : failure.error, latest);
  useRetryAfterLogin(failure.error, latest);
  return secondsToWait(failure) === 0 ? 0 : left;
}

/** Tries again each time that the server is there again. */
function useRetryAfterOutage(error: unknown, retry: { readonly current: () => void }): void {
  const isAway = isApiError(error) && error.offline;
  const isTried = useRef(false);
  useEffect(() => {
    if (!isAway) return undefined;
    return onReachable((yes) => {
      if (yes && !isTried.current) retry.current();
      isTried.current = yes;
    });
  }, [isAway, retry]);
}

/** Returns whether the server that a save did not reach answers again: the words that it is away would be wrong by then. */
function useIsBack(error: unknown): boolean {
  const isAway = isApiError(error) && error.offline;
  // Another failure is of another outage.
  const [answered, setAnswered] = useState<unknown>();
  useEffect(() => (isAway ? onReachable((yes) => setAnswered(yes ? error : undefined)) : undefined), [isAway, error]);
  return isAway && answered === error;
}

/** Tries again for whoever was logged out and has logged in again. */
function useRetryAfterLogin(error: unknown, retry: { readonly current: () => void }): void {
  const isOut = isApiError(error, 'unauthenticated');
  const session = useMe().csrf_token;
  const before = useRef(session);
  useEffect(() => {
    if (isOut && before.current !== session) retry.current();
    before.current = session;
  }, [isOut, session, retry]);
}

/** Returns the time after which the server takes a save again, if it said that it will. */
function secondsToWait(failure: FailureBarProps['failure']): number {
  const error = failure.error;
  return isApiError(error) && error.status === 429 ? (error.refusal.retry_after ?? 5) : 0;
}
