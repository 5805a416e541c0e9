import { Anchor, Button, Card, Code, Group, List, PasswordInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { showError } from '~/ui/feedback';
import { saveFile } from '~/ui/save-file';
import { collectionOf } from './collection';
import type { Endpoint } from './model';
import { send } from './send';
import classes from './explorer.module.css';

interface OverviewProps {
  workspace: string;
  base: string;
  types: readonly ContentTypeShape[];
  token: string;
  onToken: (token: string) => void;
}

/** The address of this workspace's API, and the files to download. */
export function Overview({ workspace, base, types, token, onToken }: OverviewProps) {
  const root = `${base}/api/v1/workspaces/${workspace}`;
  return (
    <Stack gap="lg">
      <section>
        <Title order={2} size="h3" mb="xs">
          {t('explorer.address')}
        </Title>
        <div className={classes.url}>
          <span className={classes.address}>{root}</span>
          <CopyButton value={root} label={t('explorer.copyUrl')} />
        </div>
        <List size="sm" mt="sm" spacing={4}>
          <List.Item>{t('explorer.ruleRead')}</List.Item>
          <List.Item>
            {t('explorer.ruleToken')} <Code>Authorization: Bearer recto_…</Code>{' '}
            <Anchor component={Link} to="/system/tokens" size="sm" underline="always">
              {t('explorer.toTokens')}
            </Anchor>
          </List.Item>
          <List.Item>{t('explorer.ruleEnvelope')}</List.Item>
          <List.Item>{t('explorer.ruleCache')}</List.Item>
        </List>
      </section>
      <TokenField token={token} onToken={onToken} />
      <section>
        <Title order={2} size="h3" mb="xs">
          {t('explorer.downloads')}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <OpenApi workspace={workspace} token={token} />
          <Card padding="md">
            <Text fw={600}>{t('explorer.collection')}</Text>
            <Text size="sm" c="dimmed" mb="sm">
              {t('explorer.collectionHint')}
            </Text>
            <Button
              variant="default"
              mt="auto"
              leftSection={<IconDownload size={16} aria-hidden />}
              onClick={() => {
                const labels = { media: t('explorer.media'), types: t('explorer.types'), operation };
                const text = JSON.stringify(collectionOf(base, workspace, types, labels), null, 2);
                saveFile([text], `${workspace}.postman_collection.json`, 'application/json');
              }}
            >
              {t('explorer.collectionDownload')}
            </Button>
          </Card>
        </SimpleGrid>
      </section>
    </Stack>
  );
}

function operation(endpoint: Endpoint): string {
  return t(`explorer.operation.${endpoint.operation}`);
}

/** The token that requests of this page take along; kept nowhere. */
export function TokenField({ token, onToken }: { token: string; onToken: (token: string) => void }) {
  return (
    <PasswordInput
      label={t('explorer.token')}
      description={t('explorer.tokenHint')}
      placeholder="recto_…"
      value={token}
      onChange={(event) => onToken(event.currentTarget.value.trim())}
      autoComplete="off"
      spellCheck={false}
      maw={520}
      visibilityToggleButtonProps={{ 'aria-label': t('explorer.tokenShow') }}
    />
  );
}

/** The description of the API, as far as whoever has the token sees it. */
function OpenApi({ workspace, token }: { workspace: string; token: string }) {
  const [busy, setBusy] = useState(false);
  const fetchIt = async () => {
    setBusy(true);
    try {
      const call = { method: 'GET', path: `/api/v1/workspaces/${workspace}/openapi.json`, body: undefined, withToken: token !== '' } as const;
      const answer = await send(call, token, AbortSignal.timeout(60_000));
      if (answer.status !== 200) throw new Error(answer.body);
      saveFile([answer.body], `${workspace}-openapi.json`, 'application/json');
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Card padding="md">
      <Group gap="xs">
        <Text fw={600}>OpenAPI 3.1</Text>
      </Group>
      <Text size="sm" c="dimmed" mb="sm">
        {t('explorer.openapiHint')}
      </Text>
      <Button variant="default" mt="auto" loading={busy} leftSection={<IconDownload size={16} aria-hidden />} onClick={() => void fetchIt()}>
        {t('explorer.openapiDownload')}
      </Button>
    </Card>
  );
}
