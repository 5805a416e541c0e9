import { Button, Group, Modal, Progress, Stack, Text } from '@mantine/core';
import '@mantine/dropzone/styles.css';
import { Dropzone } from '@mantine/dropzone';
import { IconUpload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '~/api/error';
import type { BackupUpload } from '~/api/schema';
import { formatBytes, formatNumber, t } from '~/i18n';
import { useReturnFocus } from '~/ui/return-focus';
import { uploadBackup } from './data';
import { Refused } from './Flaws';

interface UploadBackupProps {
  onDone: (upload: BackupUpload) => void;
  onClose: () => void;
}

/** Sends an archive from this computer; the server reads all of it before it takes it. */
export function UploadBackup({ onDone, onClose }: UploadBackupProps) {
  useReturnFocus();
  const [sent, setSent] = useState<{ file: File; part: number }>();
  const [error, setError] = useState<unknown>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const send = async (file: File) => {
    const abort = new AbortController();
    running.current = abort;
    setError(undefined);
    setSent({ file, part: 0 });
    try {
      onDone(await uploadBackup(file, (part) => setSent({ file, part }), abort.signal));
    } catch (failure) {
      if (!abort.signal.aborted) setError(failure);
      setSent(undefined);
    }
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t('backups.upload')} closeButtonProps={{ 'aria-label': t('general.close') }} closeOnClickOutside={!sent}>
      <Stack gap="md">
        {sent ? (
          <Sending file={sent.file} part={sent.part} onCancel={() => running.current?.abort()} />
        ) : (
          <Dropzone
            multiple={false}
            accept={{ 'application/zip': ['.zip'] }}
            inputProps={{ 'aria-label': t('backups.chooseFile') }}
            onDrop={([file]) => file && void send(file)}
            onReject={() => setError(new ApiError(422, { code: 'upload_failed', message: t('backups.notArchive') }))}
          >
            <Stack align="center" gap={4} py="lg">
              <IconUpload size={28} aria-hidden />
              <Text fw={600}>{t('backups.dropHere')}</Text>
              <Text size="sm" c="dimmed" ta="center">
                {t('backups.dropHint')}
              </Text>
            </Stack>
          </Dropzone>
        )}
        {error !== undefined && <Refused error={error} />}
      </Stack>
    </Modal>
  );
}

function Sending({ file, part, onCancel }: { file: File; part: number; onCancel: () => void }) {
  const percent = Math.round(part * 100);
  return (
    <Stack gap="xs">
      <Text size="sm">
        <b>{file.name}</b> · {formatBytes(file.size)}
      </Text>
      <Progress.Root size="lg">
        <Progress.Section value={percent} aria-label={t('backups.uploading', { name: file.name })} animated={part === 1} />
      </Progress.Root>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {part < 1 ? t('backups.percent', { percent: formatNumber(percent) }) : t('backups.checking')}
        </Text>
        <Button variant="default" size="xs" onClick={onCancel} data-autofocus>
          {t('general.cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
