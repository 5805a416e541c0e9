import { Alert, Paper, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { BackupSchedule } from '~/api/schema';
import { t } from '~/i18n';
import { Time } from '~/ui/Time';
import classes from './backups.module.css';

/** The backups that the server makes by itself and keeps elsewhere: the last one, and the next. */
export function ScheduleCard({ schedule }: { schedule: BackupSchedule }) {
  const { target, at, next_at, last_success_at, error, warning } = schedule;
  return (
    <Paper component="section" withBorder p="md" mb="lg" aria-labelledby="backup-schedule">
      <Stack gap="sm">
        <div>
          <Title order={2} size="h4" id="backup-schedule">
            {t('backups.schedule')}
          </Title>
          <Text size="sm" c="dimmed" className={classes.place}>
            {t('backups.scheduleAt', { time: at, target })}
          </Text>
        </div>
        {(error || warning) && (
          <Alert color={error ? 'red' : 'amber'} icon={<IconAlertTriangle size={18} aria-hidden />} title={error ? t('backups.scheduleFailed') : t('backups.scheduleWarning')}>
            <span className={classes.place}>{error ?? warning}</span>
          </Alert>
        )}
        <Text component="dl" size="sm" className={classes.facts}>
          <div>
            <dt>{t('backups.scheduleLast')}</dt>
            <dd>{last_success_at ? <Time value={last_success_at} /> : t('backups.scheduleNever')}</dd>
          </div>
          <div>
            <dt>{t('backups.scheduleNext')}</dt>
            <dd>
              <Time value={next_at} />
            </dd>
          </div>
        </Text>
      </Stack>
    </Paper>
  );
}
