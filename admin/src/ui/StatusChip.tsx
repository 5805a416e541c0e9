import { Badge } from '@mantine/core';
import { t } from '~/i18n';
import { hasEnded, STATUS_COLORS, type Status } from './status';

interface StatusChipProps {
  status: Status;
  /** From when on the entry is public no longer. */
  unpublishAt?: string | undefined;
}

/** The status of an entry; one that would be public and has ended says so. */
export function StatusChip({ status, unpublishAt }: StatusChipProps) {
  if ((status === 'published' || status === 'scheduled') && hasEnded(unpublishAt)) {
    return (
      <Badge color="gray" variant="light">
        {t('general.status.ended')}
      </Badge>
    );
  }
  return (
    <Badge color={STATUS_COLORS[status]} variant="light">
      {t(`general.status.${status}`)}
    </Badge>
  );
}
