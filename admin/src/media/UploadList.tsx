import { ActionIcon, Group, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck, IconClock, IconRefresh, IconUpload, IconX } from '@tabler/icons-react';
import { formatBytes, t } from '~/i18n';
import { isActive, type Upload } from './upload-queue';
import { uploads } from './upload';
import classes from './uploads.module.css';

/** The files on their way, each with what can be done about it. */
export function UploadList({ list }: { list: readonly Upload[] }) {
  return (
    <ul className={classes.list} aria-label={t('media.uploads')}>
      {list.map((upload) => (
        <Row key={upload.id} upload={upload} />
      ))}
    </ul>
  );
}

const ICONS = { waiting: IconClock, sending: IconUpload, done: IconCheck, failed: IconAlertTriangle, cancelled: IconX };

function Row({ upload }: { upload: Upload }) {
  const { id, name, state } = upload;
  const Icon = ICONS[state];
  const over = state === 'failed' || state === 'cancelled';
  return (
    <li className={classes.row} data-state={state}>
      <Icon size={16} aria-hidden className={classes.icon} />
      <div className={classes.what}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        {state === 'sending' ? (
          <Progress
            value={upload.size ? (100 * upload.loaded) / upload.size : 0}
            size="xs"
            mt={4}
            aria-label={t('media.upload.progress', { name })}
          />
        ) : (
          <Text size="xs" className={classes.state}>
            {upload.error ?? stateText(upload)}
          </Text>
        )}
      </div>
      <Group gap={2} wrap="nowrap">
        {over && (
          <ActionIcon size={24} aria-label={t('media.upload.retry', { name })} onClick={() => uploads.retry(id)}>
            <IconRefresh size={16} aria-hidden />
          </ActionIcon>
        )}
        {state !== 'done' && (
          <ActionIcon
            size={24}
            aria-label={t(over ? 'media.upload.dismiss' : 'media.upload.cancel', { name })}
            onClick={() => (over ? uploads.clear([id]) : uploads.cancel(id))}
          >
            <IconX size={16} aria-hidden />
          </ActionIcon>
        )}
      </Group>
    </li>
  );
}

function stateText(upload: Upload): string {
  if (upload.state === 'sending') return '';
  if (upload.state === 'done') return formatBytes(upload.size);
  return t(`media.upload.state.${upload.state}`);
}

/** Returns the progress of all uploads as a sentence. */
export function uploadSummary(list: readonly Upload[]): string {
  const active = list.filter(isActive).length;
  const failed = list.filter((it) => it.state === 'failed').length;
  const done = list.filter((it) => it.state === 'done').length;
  if (active > 0) return t('media.upload.running', { count: active });
  if (failed > 0) return t('media.upload.failed', { count: failed });
  return t('media.upload.done', { count: done });
}
