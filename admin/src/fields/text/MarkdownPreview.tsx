import { Alert, Box, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { t } from '~/i18n';
import { preparePreview } from './preview';
import classes from './markdown.module.css';

/** The preview of a Markdown text: rendered and cleaned by the server, as readers get it. */
export function MarkdownPreview({ text }: { text: string }) {
  const { data, error } = useQuery({
    queryKey: queryKeys.markdown(text),
    queryFn: async () => (await call(api.POST('/admin/api/preview/markdown', { body: { text } }))).data.html,
    enabled: text.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  const html = useMemo(() => (data === undefined ? undefined : preparePreview(data, (url) => t('fields.markdown.outside', { url }))), [data]);
  return (
    <Box component="section" className={classes.preview} aria-label={t('fields.markdown.preview')} tabIndex={0}>
      {text.trim() === '' && <Text c="dimmed">{t('fields.markdown.nothing')}</Text>}
      {error && <Alert color="red">{error.message}</Alert>}
      {text.trim() !== '' && !error && html === undefined && <Skeleton height={120} />}
      {text.trim() !== '' && html !== undefined && <div className={classes.typography} dangerouslySetInnerHTML={{ __html: html }} />}
    </Box>
  );
}
