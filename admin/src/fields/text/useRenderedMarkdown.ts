import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { t } from '~/i18n';
import { preparePreview } from './preview';

/** Returns a Markdown text as the server renders and cleans it for readers; nothing until it has. */
export function useRenderedMarkdown(text: string): { html: string | undefined; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: queryKeys.markdown(text),
    queryFn: async () => (await call(api.POST('/admin/api/preview/markdown', { body: { text } }))).data.html,
    enabled: text.trim() !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 30_000,
  });
  const html = useMemo(() => (data === undefined ? undefined : preparePreview(data, (url) => t('fields.markdown.outside', { url }))), [data]);
  return { html, error };
}
