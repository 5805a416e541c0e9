import { Badge } from '@mantine/core';
import type { EntryHead } from '~/api/schema';
import { t } from '~/i18n';

export type Status = EntryHead['status'];
export const STATUSES: readonly Status[] = ['draft', 'published', 'scheduled', 'protected', 'archived'];

const COLOURS: Record<Status, string> = {
  draft: 'gray',
  published: 'green',
  scheduled: 'violet',
  protected: 'amber',
  archived: 'gray',
};

/** The status of an entry. */
export function StatusChip({ status }: { status: Status }) {
  return (
    <Badge color={COLOURS[status]} variant={status === 'archived' ? 'outline' : 'light'}>
      {t(`general.status.${status}`)}
    </Badge>
  );
}
