/** Short messages to the user, and questions before something is done. */
import { Button, Group, Text, TextInput } from '@mantine/core';
import { type NotificationData, notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { ApiError } from '~/api/error';
import { t } from '~/i18n';
import { CopyButton } from './CopyButton';
import { openDialog } from './dialogs';
import classes from './feedback.module.css';

const closeButtonProps = () => ({ 'aria-label': t('general.close') });

/** More messages than these are not shown at once, unless they are errors. */
const SHOWN_MAX = 4;

/** The messages that are shown, the oldest first. */
let shown: readonly { id: string; isError: boolean }[] = [];

/** Shows a message. The oldest one that is no error makes way for it: an error is never passed over. */
function show(message: NotificationData, isError = false): string {
  const others = shown.filter((it) => !it.isError);
  if (shown.length >= SHOWN_MAX && others[0]) notifications.hide(others[0].id);
  const forget = (id: string | undefined) => {
    shown = shown.filter((it) => it.id !== id);
  };
  const id = notifications.show({ closeButtonProps: closeButtonProps(), ...message, onClose: (closed) => forget(closed.id) });
  forget(id);
  shown = [...shown, { id, isError }];
  return id;
}

/** Says that something was done, perhaps with where to go from here. */
export function showDone(message: string, next?: { label: string; onClick: () => void }): void {
  const id = show({
    message: next ? <Told message={message} action={next.label} onAction={() => (notifications.hide(id), next.onClick())} /> : message,
    color: 'green',
    icon: <IconCheck size={16} aria-hidden />,
    autoClose: next ? 8000 : 4000,
  });
}

/** Says what was done and offers, for eight seconds, to take it back. Gives the way to end the offer. */
export function showUndo(message: string, undo: () => Promise<unknown>): () => void {
  const id = show({
    message: <Told message={message} action={t('general.undo')} onAction={() => (notifications.hide(id), undo().catch(showError))} />,
    autoClose: 8000,
  });
  return () => notifications.hide(id);
}

/** Says that something is under way, until the returned function is called. */
export function showBusy(message: string): () => void {
  const id = show({ message, loading: true, autoClose: false, withCloseButton: false });
  return () => {
    notifications.hide(id);
  };
}

function Told({ message, action, onAction }: { message: string; action: string; onAction: () => void }) {
  return (
    <div className={classes.told}>
      <span className={classes.message}>{message}</span>
      <Button size="compact-sm" variant="default" flex="none" onClick={onAction}>
        {action}
      </Button>
    </div>
  );
}

/** Says what the server remarked about something that it did: `meta.warnings` of its answer. */
export function showWarnings(answer: { meta?: Record<string, unknown> | undefined }): void {
  const warnings = answer.meta?.warnings;
  if (!Array.isArray(warnings) || warnings.length === 0) return;
  show({
    message: warnings.map((it) => <div key={String(it)}>{String(it)}</div>),
    color: 'amber',
    icon: <IconAlertTriangle size={16} aria-hidden />,
    autoClose: 10_000,
  });
}

/** Something that the interface itself refuses: its message is a sentence for the user. */
export class Refused extends Error {}

/** Says what went wrong; of a mistake of the server's, with the id that leads to its log. */
export function showError(error: unknown): void {
  // The dialog for logging in again tells it already.
  if (error instanceof ApiError && error.code === 'unauthenticated') return;
  const message: NotificationData = {
    title: error instanceof ApiError && error.status >= 500 ? t('general.failed') : undefined,
    message: <ErrorText error={error} />,
    color: 'red',
    icon: <IconAlertTriangle size={16} aria-hidden />,
    autoClose: 10_000,
  };
  // What fails ten times in the same way is told once.
  const said = error instanceof ApiError ? `${error.status} ${error.message} ${JSON.stringify(error.fields)}` : undefined;
  show({ ...message, ...(said && { id: `error: ${said}` }) }, true);
}

function ErrorText({ error }: { error: unknown }) {
  if (error instanceof Refused) return <>{error.message}</>;
  if (!(error instanceof ApiError)) return <>{t('general.failedHint')}</>;
  const details = Object.entries(error.fields);
  return (
    <>
      {error.message}
      {details.map(([field, message]) => (
        <div key={field}>
          <b>{field}</b>: {message}
        </div>
      ))}
      {error.status >= 500 && error.refusal.request_id && (
        <Group gap={4}>
          <Text size="xs" c="dimmed">
            {t('general.requestId')} {error.refusal.request_id}
          </Text>
          <CopyButton value={error.refusal.request_id} label={t('general.copyRequestId')} />
        </Group>
      )}
    </>
  );
}

interface Question {
  title: string;
  body?: ReactNode;
  /** The button that does it. */
  action: string;
  danger?: boolean;
  /** The text that has to be typed before it can be done. */
  typed?: string;
}

/** Asks before something is done that cannot be taken back. */
export function confirm(question: Question): Promise<boolean> {
  return new Promise((resolve) => {
    let answered = false;
    const close = openDialog({
      title: question.title,
      onClose: () => answered || resolve(false),
      children: (
        <Asked
          question={question}
          onAnswer={(yes) => {
            answered = true;
            close();
            resolve(yes);
          }}
        />
      ),
    });
  });
}

/** Says what has to be read and not just seen in passing. */
export function showMessage({ title, body }: Pick<Question, 'title' | 'body'>): void {
  const close = openDialog({
    title,
    children: (
      <>
        <Text component="div" size="sm" mb="md">
          {body}
        </Text>
        <Group justify="flex-end">
          <Button onClick={() => close()} data-autofocus>
            {t('general.close')}
          </Button>
        </Group>
      </>
    ),
  });
}

function Asked({ question, onAnswer }: { question: Question; onAnswer: (yes: boolean) => void }) {
  const [typed, setTyped] = useState('');
  const ready = question.typed === undefined || typed === question.typed;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onAnswer(true);
      }}
    >
      {question.body && (
        <Text component="div" size="sm" mb="md">
          {question.body}
        </Text>
      )}
      {question.typed !== undefined && (
        <TextInput
          label={t('general.typeToConfirm', { text: question.typed })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          mb="md"
          data-autofocus
        />
      )}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => onAnswer(false)}>
          {t('general.cancel')}
        </Button>
        <Button type="submit" color={question.danger ? 'red' : undefined} disabled={!ready} data-autofocus={question.typed === undefined || undefined}>
          {question.action}
        </Button>
      </Group>
    </form>
  );
}
