import { Code, Group, Stack, Tabs, Title } from '@mantine/core';
import { useState } from 'react';
import { t } from '~/i18n';
import { CopyButton } from '~/ui/CopyButton';
import type { Snippet } from './snippets';
import classes from './explorer.module.css';

/** The request in several languages, to copy. */
export function Snippets({ snippets }: { snippets: readonly Snippet[] }) {
  const [chosen, setChosen] = useState('curl');
  // Not every request is there in every language.
  const current = snippets.some((it) => it.name === chosen) ? chosen : 'curl';
  return (
    <Stack gap="xs">
      <Title order={3}>{t('explorer.samples')}</Title>
      <Tabs value={current} onChange={(it) => setChosen(it ?? 'curl')} keepMounted={false}>
        <Tabs.List aria-label={t('explorer.languages')}>
          {snippets.map(({ name }) => (
            <Tabs.Tab key={name} value={name}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map(({ name, code }) => (
          <Tabs.Panel key={name} value={name} pt="xs">
            <Group justify="flex-end" mb={4}>
              <CopyButton value={code} label={t('explorer.copySample', { language: name })} />
            </Group>
            <Code block className={classes.code} tabIndex={0} role="region" aria-label={name}>
              {code}
            </Code>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
