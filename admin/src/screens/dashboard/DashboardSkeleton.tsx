import { Skeleton, Stack } from '@mantine/core';
import { t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import classes from './Dashboard.module.css';

/** The shape of the dashboard while it is on its way. */
export function DashboardSkeleton() {
  return (
    <Waiting what={t('shell.dashboard')}>
      <Skeleton h={148} radius="lg" />
      <div className={classes.columns}>
        <Stack gap="md">
          <Skeleton h={210} radius="lg" />
          <Skeleton h={330} radius="lg" />
        </Stack>
        <Stack gap="md">
          <Skeleton h={150} radius="lg" />
          <Skeleton h={260} radius="lg" />
        </Stack>
      </div>
    </Waiting>
  );
}
