import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { Grant } from '~/api/schema';
import { useApp } from '~/api/session';
import { useTypesOf } from '~/grants/data';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { useWorkspace } from '~/workspace';
import { curlSample, sampleWorkspace } from './presets';
import classes from './Tokens.module.css';

/** A token that was just made, with its secret. */
export interface Issued {
  token: string;
  name: string;
  permissions: readonly Grant[];
}

/** The only time that the secret of a token is to be seen. */
export function IssuedToken({ issued, onDone }: { issued: Issued; onDone: () => void }) {
  const app = useApp();
  const workspace = sampleWorkspace(issued.permissions, useWorkspace());
  const type = useTypesOf([workspace])[0]?.name;
  const sample = curlSample(issued.token, issued.permissions, { base: app?.base_url ?? location.origin, workspace, type });
  return (
    <Stack gap="md">
      <Alert color="amber" icon={<IconAlertTriangle aria-hidden />} title={issued.name} role="alert">
        {t('tokens.issued.warning')}
      </Alert>
      <div>
        <Text size="sm" fw={600} mb={4}>
          {t('tokens.issued.label')}
        </Text>
        <div className={classes.secret} data-testid="token">
          {issued.token}
        </div>
        <Group mt="xs">
          <CopyButton value={issued.token} label={t('tokens.issued.copy')} text />
        </Group>
      </div>
      <section>
        <Group justify="space-between" mb={4}>
          <Title order={3} size="h4">
            {t('tokens.issued.try')}
          </Title>
          <CopyButton value={sample} label={t('tokens.issued.copyCurl')} />
        </Group>
        <pre className={`${classes.secret} ${classes.call}`} aria-label={t('tokens.issued.curl')}>
          {sample}
        </pre>
      </section>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('tokens.issued.done')}</Button>
      </Group>
    </Stack>
  );
}
