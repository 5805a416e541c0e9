import { Code, Group, List, Stack, Tabs, Text } from '@mantine/core';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import { SNIPPETS } from './snippets';
import classes from './webhooks.module.css';

/** How a receiver checks that a message is ours, to copy. */
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
      <Tabs defaultValue={SNIPPETS[0].name} keepMounted={false}>
        <Tabs.List aria-label={t('webhooks.languages')}>
          {SNIPPETS.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {SNIPPETS.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name} pt="xs">
            <Group justify="flex-end" mb={4}>
              <CopyButton value={code} label={t('webhooks.copySnippet', { language: name })} />
            </Group>
            <Code block className={classes.code} tabIndex={0} role="region" aria-label={name}>
              {code}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
      <Text size="sm" c="dimmed">
        {t('webhooks.verifyAnswer')}
      </Text>
    </Stack>
  );
}
