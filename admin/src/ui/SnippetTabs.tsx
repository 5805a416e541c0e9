import { Code, Group, Tabs } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from './CopyButton';

interface SnippetTabsProps {
  /** The name of the list of languages. */
  label: string;
  /** The same sample in several languages. */
  snippets: readonly { name: string; code: string }[];
  copyLabel: (language: string) => string;
  className: string | undefined;
}

/** A sample of code in several languages, to copy. */
export function SnippetTabs({ label, snippets, copyLabel, className }: SnippetTabsProps) {
  const [chosen, setChosen] = useState<string | null>(null);
  // Not every sample is there in every language.
  const current = snippets.find((it) => it.name === chosen) ?? snippets[0];
  return (
    <Tabs value={current?.name ?? null} onChange={setChosen} keepMounted={false}>
      <Tabs.List aria-label={label}>
        {snippets.map(({ name }) => (
          <Tabs.Tab key={name} value={name}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {snippets.map(({ name, code }) => (
        <Tabs.Panel key={name} value={name} pt="xs">
          <Group justify="flex-end" mb={4}>
            <CopyButton value={code} label={copyLabel(name)} />
          </Group>
          <Code block className={className} tabIndex={0} role="region" aria-label={name}>
            {code}
          </Code>
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
