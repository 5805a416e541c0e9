import { Button, Code, Group, Text, Title } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconArrowRight, IconBellOff, IconBellRinging, IconRestore } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, call } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import type { Problem } from '~/api/schema';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { confirm, showDone, showError, showUndo } from '~/ui/feedback';
import { Time } from '~/ui/Time';
import { Excerpt } from './Excerpt';
import { kindKey, placeOf, servedKey } from './problem';
import classes from './problems.module.css';

interface ProblemCardProps {
  problem: Problem;
  types: readonly ContentTypeShape[];
  mayAct: boolean;
  /** Something was done about it: the list has to be fetched anew. */
  onDone: () => Promise<unknown>;
}

/** A problem: what is wrong, where, what it means, and what can be done. */
export function ProblemCard({ problem, types, mayAct, onDone }: ProblemCardProps) {
  const { kind, severity, path, message, field, since, excerpt, accepted } = problem;
  const served = servedKey(problem);
  const Icon = severity === 'error' ? IconAlertCircle : IconAlertTriangle;
  const heading = `problem-${problem.id}`;
  return (
    <article className={classes.card} data-severity={severity} data-accepted={accepted || undefined} aria-labelledby={heading}>
      <Icon size={20} className={classes.sign} aria-hidden />
      <div className={classes.body}>
        <Title order={3} size="h4" id={heading}>
          {t(kindKey(kind))}
        </Title>
        <Text size="sm">
          {field && (
            <>
              <Code>{field}</Code>{' '}
            </>
          )}
          <Message text={message} />
        </Text>
        <Group gap={2} wrap="nowrap" align="center">
          <Code className={classes.path}>{path}</Code>
          <CopyButton value={path} label={t('problems.copyPath')} />
        </Group>
        {excerpt && <Excerpt excerpt={excerpt} />}
        <Text size="xs" c="dimmed">
          {served && t(served)}{' '}
          {since && (
            <>
              {t('problems.since')} <Time value={since} />
            </>
          )}
        </Text>
        <Actions problem={problem} types={types} mayAct={mayAct} onDone={onDone} />
      </div>
    </article>
  );
}

/** The server's sentence; what it quotes from the file as code. */
function Message({ text }: { text: string }) {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <Code key={index}>{part}</Code> : part));
}

function Actions({ problem, types, mayAct, onDone }: ProblemCardProps) {
  const [busy, setBusy] = useState(false);
  const { id, accepted, actions } = problem;
  const place = placeOf(problem, types);
  const run = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
      await onDone();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  const restore = async () => {
    const sure = await confirm({ title: t('problems.restoreTitle'), body: t('problems.restoreBody'), action: t('problems.restore') });
    if (!sure) return;
    await run(async () => {
      const { data } = await call(api.POST('/admin/api/problems/{id}/restore-last-good', { params: { path: { id } } }));
      showDone(t('problems.restored', { path: data.kept_as }));
    });
  };
  const accept = (yes: boolean) => call(api.POST('/admin/api/problems/{id}/accept', { params: { path: { id } }, body: { accepted: yes } }));
  const leave = () =>
    run(async () => {
      await accept(true);
      showUndo(t('problems.wasAccepted'), async () => {
        await accept(false);
        await onDone();
      });
    });
  const restorable = mayAct && actions.includes('restore-last-good');
  const acceptable = mayAct && !accepted && actions.includes('accept');
  if (!place && !restorable && !acceptable && !accepted) return null;
  return (
    <Group gap="xs" mt={4}>
      {restorable && (
        <Button size="xs" leftSection={<IconRestore size={16} aria-hidden />} onClick={restore} loading={busy}>
          {t('problems.restore')}
        </Button>
      )}
      {place && <PlaceLink place={place} />}
      {acceptable && (
        <Button size="xs" variant="default" leftSection={<IconBellOff size={16} aria-hidden />} onClick={leave} loading={busy} title={t('problems.acceptHint')}>
          {t('problems.accept')}
        </Button>
      )}
      {accepted && mayAct && (
        <Button size="xs" variant="default" leftSection={<IconBellRinging size={16} aria-hidden />} onClick={() => run(() => accept(false))} loading={busy}>
          {t('problems.tellAgain')}
        </Button>
      )}
    </Group>
  );
}

function PlaceLink({ place }: { place: NonNullable<ReturnType<typeof placeOf>> }) {
  const common = { size: 'xs', variant: 'default', component: Link, rightSection: <IconArrowRight size={14} aria-hidden /> } as const;
  return place.kind === 'entry' ? (
    <Button {...common} to="/w/$workspace/content/$type/$id" params={place as never}>
      {t('problems.openEntry')}
    </Button>
  ) : (
    <Button {...common} to="/w/$workspace/types/$type" params={place as never}>
      {t('problems.openType')}
    </Button>
  );
}
