import { Stack, Title } from '@mantine/core';
import { t } from '~/i18n';
import { SnippetTabs } from '~/ui/SnippetTabs';
import classes from './explorer.module.css';
import type { Snippet } from './snippets';

/** The request in several languages, to copy. */
export function Snippets({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <Stack gap="xs">
      <Title order={3}>{t('explorer.samples')}</Title>
      <SnippetTabs
        label={t('explorer.languages')}
        snippets={snippets}
        copyLabel={(language) => t('explorer.copySample', { language })}
        className={classes.code}
      />
    </Stack>
  );
}
