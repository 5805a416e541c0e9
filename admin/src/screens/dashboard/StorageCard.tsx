import { Progress, Text } from '@mantine/core';
import type { Dashboard } from '~/api/schema';
import { formatBytes, t } from '~/i18n';
import { Panel } from './Panel';

/** Below this much room it is time to do something. */
const TIGHT = 1_000_000_000;

/** The storage that the content takes, and the room that is left. */
export function StorageCard({ storage }: { storage: NonNullable<Dashboard['storage']> }) {
  const { data_bytes: used, free_bytes: free } = storage;
  const tight = free !== null && free < TIGHT;
  return (
    <Panel title={t('dashboard.storage')}>
      {free !== null && (
        <Progress
          value={Math.max(1, (used / (used + free)) * 100)}
          color={tight ? 'red' : 'ink'}
          size="sm"
          mb="xs"
          aria-label={t('dashboard.storageUsed', { size: formatBytes(used) })}
        />
      )}
      <Text size="sm">{t('dashboard.storageUsed', { size: formatBytes(used) })}</Text>
      {free !== null && (
        <Text size="sm" c={tight ? 'red' : 'dimmed'}>
          {t(tight ? 'dashboard.storageTight' : 'dashboard.storageFree', { size: formatBytes(free) })}
        </Text>
      )}
    </Panel>
  );
}
