import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ApiError } from '~/api/error';
import type { Change } from '~/api/schema';
import { t } from '~/i18n';
import { Message } from '~/ui/Message';
import { UsagePlaces } from '~/usages/UsagePlaces';
import { useWorkspace } from '~/workspace';
import { anchorOf, placeOf, sortRefusals } from '../change';
import classes from '../changes.module.css';
import { FieldMessages } from './FieldMessages';

/** The reasons why a publication was refused: all at once, with the ways to where they are. */
export function Refused({ change, failure }: { change: Change; failure: ApiError | undefined }) {
  const workspace = useWorkspace();
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) ref.current?.focus();
  }, [failure]);
  if (!failure) return null;
  const { usages } = failure.refusal;
  const { byEntry, others } = sortRefusals(failure.fields, change.entries);
  const entries = change.entries.filter((it) => byEntry.has(placeOf(it)));
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      color="red"
      role="alert"
      mb="md"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(usages ? 'changes.refused.used' : failure.status === 409 ? 'changes.refused.conflict' : 'changes.refused.invalid')}
    >
      <Text size="sm">
        <Message text={failure.message} />
      </Text>
      {usages && <UsagePlaces workspace={workspace} usages={usages} total={usages.length} />}
      {others.map(({ path, message }) => (
        <Text key={path} size="sm">
          <Message text={message} />
        </Text>
      ))}
      <ul className={classes.about}>
        {entries.map((it) => (
          <li key={placeOf(it)}>
            <Anchor href={`#${anchorOf(it)}`} size="sm" underline="always">
              {it.title || t('general.untitled')}
            </Anchor>
            <FieldMessages type={it.collection} messages={byEntry.get(placeOf(it)) ?? []} />
          </li>
        ))}
      </ul>
    </Alert>
  );
}
