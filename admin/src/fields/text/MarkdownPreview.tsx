import { Alert, Box, Text } from '@mantine/core';
import { t } from '~/i18n';
import { Waiting } from '~/ui/Waiting';
import classes from './markdown.module.css';
import { useRenderedMarkdown } from './useRenderedMarkdown';

/** The preview of a Markdown text: rendered and cleaned by the server, as readers get it. */
export function MarkdownPreview({ text }: { text: string }) {
  const { html, error } = useRenderedMarkdown(text);
  return (
    <Box component="section" className={classes.preview} aria-label={t('fields.markdown.preview')} tabIndex={0}>
      {text.trim() === '' && <Text c="dimmed">{t('fields.markdown.nothing')}</Text>}
      {error && <Alert color="red">{error.message}</Alert>}
      {text.trim() !== '' && !error && html === undefined && <Waiting heights={[120]} />}
      {text.trim() !== '' && html !== undefined && <div className={classes.typography} dangerouslySetInnerHTML={{ __html: html }} />}
    </Box>
  );
}
