import { Badge, Button, Card, Group, Modal, Text, Title } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { SecondFactor } from '~/api/schema';
import { formatDateTime, t } from '~/i18n';
import { ErrorState } from '~/ui/ErrorState';
import { showDone } from '~/ui/feedback';
import { Waiting } from '~/ui/Waiting';
import { PasswordStep } from './PasswordStep';
import { RecoveryCodes } from './RecoveryCodes';
import { SetUp } from './SetUp';

const factorQuery = queryOptions({
  queryKey: queryKeys.secondFactor,
  queryFn: async () => (await call(api.GET('/admin/api/profile/second-factor'))).data,
});

/** The task of the dialog. */
type Doing = 'set' | 'codes' | 'off';

const TITLES = { set: 'profile.factor', codes: 'profile.factor.codesNew', off: 'profile.factor.off' } as const;

/** The second factor of the user. */
export function SecondFactorCard() {
  const answer = useQuery(factorQuery);
  const [doing, setDoing] = useState<Doing>();
  const close = () => {
    setDoing(undefined);
    void refresh();
  };
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h3">
          {t('profile.factor')}
        </Title>
        {answer.data?.enabled && <Badge color="green">{t('profile.factor.on')}</Badge>}
      </Group>
      {answer.data ? (
        <State factor={answer.data} onDo={setDoing} />
      ) : answer.isError ? (
        <ErrorState error={answer.error} onRetry={answer.refetch} />
      ) : (
        <Waiting what={t('profile.factor')} heights={[60]} />
      )}
      <Modal
        opened={doing !== undefined}
        onClose={close}
        title={doing && t(TITLES[doing])}
        closeButtonProps={{ 'aria-label': t('general.close') }}
        closeOnClickOutside={false}
      >
        {doing === 'set' && <SetUp onDone={close} onCancel={close} />}
        {doing === 'codes' && <NewCodes onDone={close} />}
        {doing === 'off' && <TurnOff onDone={close} />}
      </Modal>
    </Card>
  );
}

function State({ factor, onDo }: { factor: SecondFactor; onDo: (what: Doing) => void }) {
  if (!factor.enabled) {
    return (
      <>
        <Text size="sm" c="dimmed" mb="md">
          {t('profile.factor.hint')}
        </Text>
        <Button variant="default" onClick={() => onDo('set')}>
          {t('profile.factor.begin')}
        </Button>
      </>
    );
  }
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {factor.created_at && t('profile.factor.onSince', { when: formatDateTime(factor.created_at) })}
        {' · '}
        {t('profile.factor.codesLeft', { count: factor.recovery_codes_left })}
        {factor.required && ` · ${t('profile.factor.required')}`}
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => onDo('codes')}>
          {t('profile.factor.codesNew')}
        </Button>
        <Button variant="default" onClick={() => onDo('set')}>
          {t('profile.factor.replace')}
        </Button>
        {!factor.required && (
          <Button variant="subtle" color="red" onClick={() => onDo('off')}>
            {t('profile.factor.off')}
          </Button>
        )}
      </Group>
    </>
  );
}

function NewCodes({ onDone }: { onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />;
  return (
    <>
      <Text size="sm" mb="md">
        {t('profile.factor.codesNewHint')}
      </Text>
      <PasswordStep
        action={t('profile.factor.next')}
        send={async (password) => (await call(api.POST('/admin/api/profile/second-factor/recovery-codes', { body: { password } }))).data.recovery_codes}
        onDone={setCodes}
        onCancel={onDone}
      />
    </>
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  return (
    <>
      <Text size="sm" mb="md">
        {t('profile.factor.offHint')}
      </Text>
      <PasswordStep
        action={t('profile.factor.off')}
        send={(password) => call(api.POST('/admin/api/profile/second-factor/remove', { body: { password } }))}
        onDone={() => {
          showDone(t('profile.factor.offDone'));
          onDone();
        }}
        onCancel={onDone}
      />
    </>
  );
}

/** Reads again what a change of the second factor changes. */
async function refresh(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: queryKeys.secondFactor }),
    queryClient.invalidateQueries({ queryKey: queryKeys.sessions }),
    queryClient.invalidateQueries({ queryKey: queryKeys.me }),
  ]);
}
