import { Badge } from '@mantine/core';
import { t } from '~/i18n';
import { effectiveStatus, hasEnded, isPublicStatus, STATUS_COLORS, type Status } from './status';

interface StatusChipProps {
  /** The entry, as far as it is known. Without its times, only what is stored is shown. */
  entry: { status: Status; published_at?: string | null | undefined; unpublish_at?: string | null | undefined };
}

/** The status of an entry, as readers notice it: one that was scheduled is published by now, or has ended. */
export function StatusChip({ entry }: StatusChipProps) {
  if (isPublicStatus(entry.status) && hasEnded(entry.unpublish_at)) {
    return (
      <Badge color="gray" variant="light">
        {t('general.status.ended')}
      </Badge>
    );
  }
  const shown = effectiveStatus(entry);
  return (
    <Badge color={STATUS_COLORS[shown]} variant="light">
      {t(`general.status.${shown}`)}
    </Badge>
  );
}
