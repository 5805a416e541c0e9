import { Alert, List } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { ApiError } from '~/api/error';
import type { BackupFlaw } from '~/api/schema';
import { t } from '~/i18n';
import { useFromServer } from '~/ui/useFromServer';
import classes from './backups.module.css';

/** The files of a backup that a restore skips or changes, each with the reason. */
export function Flaws({ flaws, title }: { flaws: readonly BackupFlaw[]; title?: string }) {
  const fromServer = useFromServer();
  if (flaws.length === 0) return null;
  return (
    <Alert color="amber" icon={<IconAlertTriangle size={18} aria-hidden />} title={title ?? t('backups.flaws', { count: flaws.length })}>
      <List size="sm" spacing={2} className={classes.flaws} tabIndex={flaws.length > 6 ? 0 : undefined}>
        {flaws.map((it) => (
          <List.Item key={`${it.path} ${it.message}`}>
            {it.path && <b>{it.path}: </b>}
            {fromServer(it.message)}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The reason of a refusal; for a bad archive, the problem of each file. */
export function Refused({ error }: { error: unknown }) {
  const refused = error instanceof ApiError ? error : undefined;
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle size={18} aria-hidden />} title={refused?.message ?? t('general.failed')}>
      {refused ? (
        <List size="sm" spacing={2} className={classes.flaws}>
          {Object.entries(refused.fields).map(([path, message]) => (
            <List.Item key={path}>
              <b>{path}</b>: {message}
            </List.Item>
          ))}
        </List>
      ) : (
        t('general.failedHint')
      )}
    </Alert>
  );
}
