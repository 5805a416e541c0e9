import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCan } from '~/api/session';
import { settingsQuery } from '~/api/settings';
import { t } from '~/i18n';
import { NoPermission } from '~/ui/EmptyState';
import { ErrorState } from '~/ui/ErrorState';
import { PageHead } from '~/ui/PageHead';
import { Waiting } from '~/ui/Waiting';
import { About } from './About';
import { SettingsForm } from './SettingsForm';
import { UpdateCard } from './UpdateCard';

/** The settings of the whole installation. */
export default function Settings() {
  const can = useCan();
  const mayRead = can('settings.read', 'settings:*');
  const answer = useQuery({ ...settingsQuery, enabled: mayRead });
  const head = <PageHead title={t('settings.title')} description={t('settings.description')} />;
  if (!mayRead) {
    return (
      <>
        {head}
        <NoPermission action="settings.read" />
      </>
    );
  }
  if (!answer.data) {
    return (
      <>
        {head}
        {answer.isError ? <ErrorState error={answer.error} onRetry={answer.refetch} /> : <Waiting what={t('shell.settings')} heights={[420]} />}
      </>
    );
  }
  return (
    <Stack gap="lg">
      <SettingsForm stored={answer.data.data} pinned={answer.data.pinned} />
      {can('updates.read', 'updates:*') && <UpdateCard />}
      <About />
    </Stack>
  );
}
