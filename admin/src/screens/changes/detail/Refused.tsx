import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ApiError } from '~/api/error';
import type { Change } from '~/api/schema';
import { t } from '~/i18n';
import { Message } from '~/ui/Message';
import { anchorOf, placeOf, sortRefusals } from '../change';
import classes from '../changes.module.css';
import { FieldMessages } from './FieldMessages';

/** The reasons why a publication was refused: all at once, with the ways to where they are. */
export function Refused({ change, failure }: { change: Change; failure: ApiError | undefined }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (failure) ref.current?.focus();
  }, [failure]);
  if (!failure) return null;
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
      title={t(failure.status === 409 ? 'changes.refused.conflict' : 'changes.refused.invalid')}
    >
      <Text size="sm">
        <Message text={failure.message} />
      </Text>
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
