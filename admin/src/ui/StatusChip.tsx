import { Badge } from '@mantine/core';
import { t } from '~/i18n';
import { effectiveStatus, hasEnded, STATUS_COLORS, type Status } from './status';

interface StatusChipProps {
  status: Status;
  /** From when on the entry is public. */
  publishedAt?: string | null | undefined;
  /** From when on the entry is public no longer. */
  unpublishAt?: string | undefined;
}

/** The status of an entry, as readers notice it: one that was scheduled is published by now, or has ended. */
export function StatusChip({ status, publishedAt, unpublishAt }: StatusChipProps) {
  if ((status === 'published' || status === 'scheduled') && hasEnded(unpublishAt)) {
    return (
      <Badge color="gray" variant="light">
        {t('general.status.ended')}
      </Badge>
    );
  }
  const shown = effectiveStatus({ status, published_at: publishedAt });
  return (
    <Badge color={STATUS_COLORS[shown]} variant="light">
      {t(`general.status.${shown}`)}
    </Badge>
  );
}
