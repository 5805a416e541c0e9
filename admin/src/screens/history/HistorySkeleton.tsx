import { Skeleton, Stack } from '@mantine/core';
import { t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import classes from './History.module.css';

/** The shape of the history while it is on its way. */
export function HistorySkeleton() {
  return (
    <Waiting what={t('revisions.title')} className={classes.columns}>
      <Stack gap="xs">
        {[0, 1, 2, 3].map((it) => (
          <Skeleton key={it} h={58} radius="md" />
        ))}
      </Stack>
      <Stack gap="md">
        <Skeleton h={64} radius="md" />
        <Skeleton h={110} radius="md" />
        <Skeleton h={180} radius="md" />
      </Stack>
    </Waiting>
  );
}
