import { Badge } from '@mantine/core';
import { t } from '~/i18n';
import { hasEnded, type Status } from './status';

const COLOURS: Record<Status, string> = {
  draft: 'gray',
  published: 'green',
  scheduled: 'violet',
  protected: 'amber',
  archived: 'gray',
};

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
    <Badge color={COLOURS[status]} variant={status === 'archived' ? 'outline' : 'light'}>
      {t(`general.status.${status}`)}
    </Badge>
  );
}
