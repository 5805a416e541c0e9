import { Skeleton, Stack } from '@mantine/core';
import { t } from '~/i18n';

/** The shape of a table while its rows are on their way. */
export function ListSkeleton() {
  return (
    <Stack gap="xs" role="status" aria-label={t('general.loading')}>
      <Skeleton h={36} />
      <Skeleton h={52} />
      <Skeleton h={52} />
      <Skeleton h={52} />
    </Stack>
  );
}
