import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconCircleCheck, IconDownload, IconPackage, IconRefresh } from '@tabler/icons-react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import type { UpdateStatus } from '~/api/schema';
import { useCan } from '~/api/session';
import { formatBytes, formatDateTime, formatRelative, t } from '~/i18n';
import { ErrorState } from '~/ui/ErrorState';
import { Waiting } from '~/ui/Waiting';
import { confirm } from '~/ui/feedback';
import { FormError } from '~/ui/FormError';
import { Section } from './Section';
import classes from './Settings.module.css';
import { type UpdateState, updateState } from './updates';

/** New versions of the program: to look for, to bring and to install. */
export function UpdateCard() {
  const answer = useQuery({
    queryKey: queryKeys.update,
    queryFn: async () => (await call(api.GET('/admin/api/update'))).data,
  });
  return (
    <Section title={t('settings.updates')}>
      {answer.data ? (
        <Status status={answer.data} />
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      ) : (
        <Waiting quiet what={t('settings.updates')} heights={[80]} />
      )}
    </Section>
  );
}

function sentence(state: UpdateState): string {
  if (state.step === 'other') return state.message;
  return 'version' in state ? t(`settings.update.${state.step}`, { version: state.version }) : t(`settings.update.${state.step}`);
}

function Status({ status }: { status: UpdateStatus }) {
  const state = updateState(status);
  const { latest, checked_at } = status;
  const isNew = state.step === 'available' || state.step === 'staged';
  return (
    <Stack gap="sm">
      <div role="status">
        {state.step === 'restart' || state.step === 'restartUnknown' ? (
          <Alert role="note" color="green" icon={<IconCircleCheck aria-hidden />}>
            {sentence(state)}
          </Alert>
        ) : (
          <Text size="sm" fw={600}>{sentence(state)}</Text>
        )}
      </div>
      <Text size="sm" c="dimmed">
        {state.step === 'noChannel' && t('settings.update.noChannelHint')}
        {checked_at && t('settings.update.checked', { when: formatRelative(checked_at) })}
      </Text>
      {isNew && latest && (
        <>
          <Text size="sm" c="dimmed">
            {[
              latest.released_at && t('settings.update.released', { when: formatDateTime(latest.released_at) }),
              state.step === 'available' && latest.size && t('settings.update.size', { size: formatBytes(latest.size) }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
          {latest.notes && (
            <div>
              <Title order={3} size="h4" mb={4}>
                {t('settings.update.notes')}
              </Title>
              <div className={classes.notes}>{latest.notes}</div>
            </div>
          )}
        </>
      )}
      <Steps status={status} step={state.step} />
    </Stack>
  );
}

function Steps({ status, step }: { status: UpdateStatus; step: UpdateState['step'] }) {
  const can = useCan();
  const client = useQueryClient();
  const onSuccess = (next: UpdateStatus) => client.setQueryData(queryKeys.update, next);
  const check = useMutation({ mutationFn: async () => (await call(api.POST('/admin/api/update/check'))).data, onSuccess });
  const download = useMutation({ mutationFn: async () => (await call(api.POST('/admin/api/update/download'))).data, onSuccess });
  const install = useMutation({ mutationFn: async () => (await call(api.POST('/admin/api/update/install'))).data, onSuccess });
  const busy = check.isPending || download.isPending || install.isPending;
  const version = status.staged?.version ?? '';
  const begin = (what: typeof check) => {
    for (const it of [check, download, install]) it.reset();
    what.mutate();
  };
  const askToInstall = async () => {
    const yes = await confirm({
      title: t('settings.update.installTitle', { version }),
      body: t('settings.update.installBody'),
      action: t('settings.update.install'),
    });
    if (yes) begin(install);
  };
  return (
    <>
      <Group gap="xs">
        {can('updates.check', 'updates:*') && step !== 'noChannel' && (
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} aria-hidden />}
            loading={check.isPending}
            disabled={busy}
            onClick={() => begin(check)}
          >
            {t('settings.update.check')}
          </Button>
        )}
        {can('updates.download', 'updates:*') && step === 'available' && (
          <Button
            leftSection={<IconDownload size={16} aria-hidden />}
            loading={download.isPending}
            disabled={busy}
            onClick={() => begin(download)}
          >
            {t('settings.update.download')}
          </Button>
        )}
        {can('updates.install', 'updates:*') && step === 'staged' && (
          <Button leftSection={<IconPackage size={16} aria-hidden />} loading={install.isPending} disabled={busy} onClick={askToInstall}>
            {t('settings.update.install')}
          </Button>
        )}
      </Group>
      <FormError error={check.error ?? download.error ?? install.error} />
    </>
  );
}
