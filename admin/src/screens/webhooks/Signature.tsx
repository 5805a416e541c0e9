import { Code, List, Stack, Text } from '@mantine/core';
import { t } from '~/i18n';
import { SnippetTabs } from '~/ui/SnippetTabs';
import { SNIPPETS } from './snippets';
import classes from './webhooks.module.css';

/** The instructions for verifying a message, to copy. */
export function Signature() {
  return (
    <Stack gap="sm">
      <Text size="sm">{t('webhooks.verifyIntro')}</Text>
      <List size="sm" spacing={4}>
        <List.Item>
          <Code>webhook-id</Code> {t('webhooks.headerId')}
        </List.Item>
        <List.Item>
          <Code>webhook-timestamp</Code> {t('webhooks.headerTimestamp')}
        </List.Item>
        <List.Item>
          <Code>webhook-signature</Code> {t('webhooks.headerSignature')}
        </List.Item>
      </List>
      <SnippetTabs
        label={t('webhooks.languages')}
        snippets={SNIPPETS}
        copyLabel={(language) => t('webhooks.copySnippet', { language })}
        className={classes.code}
      />
      <Text size="sm" c="dimmed">
        {t('webhooks.verifyAnswer')}
      </Text>
    </Stack>
  );
}
