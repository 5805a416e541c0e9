import { Alert, Button, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconDownload, IconRestore, IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Backup, BackupInspection } from '~/api/schema';
import { formatBytes, formatDateTime, formatList, formatNumber, t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { ErrorState } from '~/ui/ErrorState';
import { useReturnFocus } from '~/ui/return-focus';
import { downloadUrl, inspectionQuery } from './data';
import { Flaws } from './Flaws';
import classes from './backups.module.css';

interface InspectBackupProps {
  backup: Backup;
  createdBy: string;
  canDownload: boolean;
  onRestore: (() => void) | undefined;
  onClose: () => void;
}

/** The content of a backup. All of it is read for this, so every checksum was verified. */
export function InspectBackup({ backup, createdBy, canDownload, onRestore, onClose }: InspectBackupProps) {
  useReturnFocus();
  const { data, error, isPending, refetch } = useQuery(inspectionQuery(backup.name));
  return (
    <Drawer
      opened
      onClose={onClose}
      size={640}
      title={<span className={classes.name}>{backup.name}</span>}
      closeButtonProps={{ 'aria-label': t('general.close') }}
    >
      <Stack gap="lg">
        {isPending && (
          <div role="status">
            <Text size="sm" mb="xs">
              {t('backups.reading')}
            </Text>
            <Skeleton height={220} aria-hidden />
          </div>
        )}
        {error && <ErrorState error={error} onRetry={refetch} />}
        {data && <Inspection backup={backup} createdBy={createdBy} inspection={data} />}
        <Group gap="xs">
          {onRestore && (
            <Button leftSection={<IconRestore size={16} aria-hidden />} onClick={onRestore} disabled={data?.available_parts.length === 0}>
              {t('backups.restore')}
            </Button>
          )}
          {canDownload && (
            <Button component="a" href={downloadUrl(backup.name)} download={backup.name} variant="default" leftSection={<IconDownload size={16} aria-hidden />}>
              {t('backups.download')}
            </Button>
          )}
        </Group>
      </Stack>
    </Drawer>
  );
}

function Inspection({ backup, createdBy, inspection }: { backup: Backup; createdBy: string; inspection: BackupInspection }) {
  const { manifest, counts, available_parts, problems } = inspection;
  const whole = available_parts.length > 0;
  const facts: [string, string][] = [
    [t('backups.note'), backup.note],
    [t('backups.createdAt'), formatDateTime(backup.created_at)],
    [t('backups.createdBy'), createdBy],
    [t('backups.size'), formatBytes(backup.size)],
    [t('backups.unpacked'), manifest ? formatBytes(manifest.bytes) : ''],
    [t('backups.workspaces'), manifest ? formatList([...manifest.workspaces]) : ''],
    [t('backups.madeWith'), manifest ? `${manifest.generator.name} ${manifest.generator.version}` : ''],
    [t('backups.secretsFact'), manifest?.secrets ? t('backups.withSecrets') : t('backups.withoutSecrets')],
  ];
  return (
    <>
      <Alert
        color={whole ? 'green' : 'red'}
        icon={whole ? <IconShieldCheck size={18} aria-hidden /> : <IconShieldX size={18} aria-hidden />}
        title={whole ? t('backups.sound') : t('backups.unsound')}
      >
        {whole ? t('backups.soundHint') : t('backups.unsoundHint')}
      </Alert>
      <Flaws flaws={problems} />
      <Text component="dl" size="sm" className={classes.facts}>
        {facts.map(([label, value]) => value && (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </Text>
      {Object.keys(counts).length > 0 && (
        <div>
          <Title order={3} size="h4" mb={4}>
            {t('backups.contents')}
          </Title>
          <table className={classes.counts}>
            <thead>
              <tr>
                <th scope="col">{t('backups.partColumn')}</th>
                <th scope="col">{t('backups.filesColumn')}</th>
              </tr>
            </thead>
            <tbody>
              {available_parts.map((part) => (
                <tr key={part}>
                  <th scope="row">{t(`backups.part.${part}`)}</th>
                  <td>{formatNumber(counts[part] ?? 0)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {manifest && (
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed" className={classes.name} fw={400}>
            {t('backups.sum')} {manifest.sums_sha256}
          </Text>
          <CopyButton value={manifest.sums_sha256} label={t('backups.copySum')} />
        </Group>
      )}
    </>
  );
}
