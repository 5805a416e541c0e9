import { Anchor, Button, Card, Code, List, PasswordInput, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ContentTypeShape } from '~/api/fields';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { saveFile } from '~/ui/save-file';
import { collectionOf } from './collection';
import { DownloadButton } from './DownloadButton';
import { operationLabel, TOLD } from './labels';
import { type ApiCall, type Common, commonKey, initialState } from './model';
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
  const path = `/api/v1/workspaces/${workspace}`;
  const root = base + path;
  const get = (file: string): ApiCall => ({ method: 'GET', path: `${path}/${file}`, body: undefined, withToken: token !== '' });
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
          {t('explorer.building')}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="sm">
          {TOLD.map((kind) => (
            <Card key={kind} padding="sm">
              <Anchor
                component={Link}
                to="/w/$workspace/api"
                params={{ workspace } as never}
                search={initialState(commonKey(kind)) as never}
                fw={600}
                size="sm"
                w="fit-content"
              >
                {t(`explorer.${kind}`)}
              </Anchor>
              <Text size="sm" c="dimmed">
                {t(`explorer.about.${kind}`)}
              </Text>
            </Card>
          ))}
        </SimpleGrid>
      </section>
      <section>
        <Title order={2} size="h3" mb="xs">
          {t('explorer.downloads')}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <DownloadCard title="OpenAPI 3.1" hint={t('explorer.openapiHint')}>
            <DownloadButton call={get('openapi.json')} token={token} name={`${workspace}-openapi.json`} icon={ICON}>
              {t('explorer.openapiDownload')}
            </DownloadButton>
          </DownloadCard>
          <DownloadCard title="TypeScript" hint={t('explorer.typingsHint')}>
            <DownloadButton call={get('types.ts')} token={token} name="recto-types.ts" icon={ICON}>
              {t('explorer.typingsDownload')}
            </DownloadButton>
          </DownloadCard>
          <DownloadCard title={t('explorer.collection')} hint={t('explorer.collectionHint')}>
            <Button
              variant="default"
              mt="auto"
              leftSection={ICON}
              onClick={() => {
                const labels = { common: (it: Common) => t(`explorer.${it}`), operation: operationLabel };
                const text = JSON.stringify(collectionOf(base, workspace, types, labels), null, 2);
                saveFile([text], `${workspace}.postman_collection.json`, 'application/json');
              }}
            >
              {t('explorer.collectionDownload')}
            </Button>
          </DownloadCard>
        </SimpleGrid>
      </section>
    </Stack>
  );
}

const ICON = <IconDownload size={16} aria-hidden />;

/** A file to download, with what it is for. */
function DownloadCard({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <Card padding="md">
      <Text fw={600}>{title}</Text>
      <Text size="sm" c="dimmed" mb="sm">
        {hint}
      </Text>
      {children}
    </Card>
  );
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
