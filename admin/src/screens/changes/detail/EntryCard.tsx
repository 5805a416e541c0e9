import { ActionIcon, Alert, Anchor, Badge, Group, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconArrowBackUp, IconChevronRight, IconPencil } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { isActive } from '~/api/changes/change';
import type { Change, EntryDiff, Proposal } from '~/api/schema';
import { useContentType } from '~/api/session';
import { t } from '~/i18n';
import { entryLink } from '~/links';
import { Message } from '~/ui/Message';
import { useWorkspace } from '~/workspace';
import { anchorOf, placeOf } from '../change';
import classes from '../changes.module.css';
import { Conflicts, DeletionConflict, GoneConflict } from './Conflicts';
import { FieldDifference } from './FieldDifference';
import { FieldMessages } from './FieldMessages';
import { shownFields } from './fields';
import type { ChangeActions } from './useChangeActions';

const COLOURS = { create: 'green', update: 'ink', delete: 'red' } as const;

interface EntryCardProps {
  id: string;
  change: Change;
  entry: Proposal;
  diff: EntryDiff | undefined;
  /** The reasons why it was not published. */
  messages: readonly { path: string; message: string }[];
  startOpen: boolean;
  actions: ChangeActions;
}

/** One entry of a change: what happens to it, field by field. */
export function EntryCard({ id, change, entry, diff, messages, startOpen, actions }: EntryCardProps) {
  const workspace = useWorkspace();
  const body = useId();
  const type = useContentType(workspace, entry.collection);
  const [folded, setFolded] = useState<boolean>();
  const active = isActive(change);
  const conflict = active && (diff?.conflict ?? false);
  const troubled = conflict || Boolean(entry.problem) || messages.length > 0;
  // Trouble shows itself, whatever was folded before.
  const open = folded === undefined ? startOpen : !folded;
  const title = entry.title || t('general.untitled');
  const mayEdit = active && change.may.manage;
  // Both values of a conflict are shown below.
  const isConflict = (path: string) => conflict && (path === '' || (diff?.fields ?? []).some((it) => it.conflict && path.startsWith(it.path)));
  return (
    <article className={classes.entry} data-trouble={troubled || undefined} id={anchorOf(entry)} aria-label={title}>
      <div className={classes.entryHead}>
        <UnstyledButton className={classes.fold} aria-expanded={open} aria-controls={body} onClick={() => setFolded(open)}>
          <IconChevronRight size={16} aria-hidden className={classes.foldIcon} />
          <h2 className={classes.entryTitle}>{title}</h2>
        </UnstyledButton>
        <Group gap={6} className={classes.marks}>
          {conflict && <Badge color="red">{t('changes.conflict')}</Badge>}
          {entry.problem && <Badge color="red">{t('changes.problem')}</Badge>}
          <Text size="xs" c="dimmed">
            {type?.label ?? entry.collection}
          </Text>
          <Badge color={COLOURS[entry.action]}>{t(`changes.action.${entry.action}`)}</Badge>
          {active && entry.action !== 'delete' && type && (
            <Tooltip label={t('changes.openEntry')}>
              <ActionIcon
                renderRoot={(props) => <Link {...props} {...entryLink(workspace, entry, id)} />}
                aria-label={t('changes.openEntryNamed', { title })}
              >
                <IconPencil size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
          {mayEdit && (
            <Tooltip label={t('changes.discard')}>
              <ActionIcon
                onClick={() => actions.discard(entry)}
                loading={actions.pending === `discard ${placeOf(entry)}`}
                aria-label={t('changes.discardNamed', { title })}
              >
                <IconArrowBackUp size={16} aria-hidden />
              </ActionIcon>
            </Tooltip>
          )}
        </Group>
      </div>
      <div id={body} hidden={!open} className={classes.entryBody}>
        {open && (
          <>
            <Messages problem={entry.problem} messages={messages.filter((it) => !isConflict(it.path))} entry={entry} />
            <Body id={id} change={change} entry={entry} diff={diff} actions={actions} mayEdit={mayEdit} />
          </>
        )}
      </div>
    </article>
  );
}

interface MessagesProps {
  problem: string | null | undefined;
  messages: EntryCardProps['messages'];
  entry: Proposal;
}

/** The reasons why the entry cannot be published as it is. */
function Messages({ problem, messages, entry }: MessagesProps) {
  if (!problem && messages.length === 0) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} mb="xs">
      <Stack gap={4}>
        {problem && (
          <Text size="sm">
            <Message text={problem} />
          </Text>
        )}
        <FieldMessages type={entry.collection} messages={messages} />
      </Stack>
    </Alert>
  );
}

interface BodyProps {
  id: string;
  change: Change;
  entry: Proposal;
  diff: EntryDiff | undefined;
  actions: ChangeActions;
  mayEdit: boolean;
}

function Body({ id, change, entry, diff, actions, mayEdit }: BodyProps) {
  const workspace = useWorkspace();
  const active = isActive(change);
  if (!diff) return <Text size="sm">{t('changes.noDiff')}</Text>;
  if (entry.action === 'delete') {
    if (active && diff.conflict) return <DeletionConflict id={id} entry={entry} actions={actions} mayEdit={mayEdit} />;
    return <Text size="sm">{t(active ? 'changes.deletes' : 'changes.deleted')}</Text>;
  }
  // The entry was changed in the change and is gone from what is live, so no value of it conflicts.
  if (active && diff.conflict && entry.action === 'update' && !diff.fields.some((it) => it.conflict)) {
    return <GoneConflict entry={entry} actions={actions} mayEdit={mayEdit} />;
  }
  const fields = shownFields(diff.fields, entry.action === 'create');
  const plain = active ? fields.filter((it) => !it.conflict) : fields;
  return (
    <>
      {active && diff.conflict && <Conflicts key={diff.fields.length} id={id} entry={entry} fields={fields} actions={actions} mayEdit={mayEdit} />}
      {plain.map((it) => (
        <FieldDifference key={it.path} entry={entry} field={it} published={!active} />
      ))}
      {fields.length === 0 && (
        <Text size="sm" c="dimmed">
          {t('changes.noDifference')}{' '}
          <Anchor renderRoot={(props) => <Link {...props} {...entryLink(workspace, entry)} />} size="sm">
            {t('changes.openLive')}
          </Anchor>
        </Text>
      )}
    </>
  );
}
