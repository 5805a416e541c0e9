import { Autocomplete } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import { t } from '~/i18n';
import { type Target, targetKey } from './model';

interface IdentifierProps {
  workspace: string;
  target: Target;
  types: readonly ContentTypeShape[];
  value: string;
  onChange: (id: string) => void;
}

/** Some of those that there are, to pick one from. */
const OFFERED = 50;

/** The object of a request: typed, or picked from a list. */
export function Identifier({ workspace, target, types, value, onChange }: IdentifierProps) {
  const names = types.filter((it) => target.kind !== 'feeds' || it.feed).map((it) => it.name);
  const isNamed = target.kind === 'types' || target.kind === 'feeds';
  const { data = [] } = useQuery({
    queryKey: target.kind === 'type' ? queryKeys.entryIdentifiers(workspace, targetKey(target)) : queryKeys.mediaIdentifiers(workspace),
    queryFn: () => identifiers(target),
    enabled: !isNamed,
  });
  return (
    <Autocomplete
      label={t(target.kind === 'media' ? 'explorer.filename' : target.kind === 'feeds' ? 'explorer.contentType' : 'explorer.identifier')}
      description={target.kind === 'type' ? t('explorer.identifierHint') : undefined}
      data={isNamed ? names : data}
      value={value}
      onChange={onChange}
      limit={OFFERED}
      maw={520}
      required
    />
  );
}

async function identifiers(target: Target): Promise<string[]> {
  if (target.kind === 'media') {
    const { data } = await call(api.GET('/admin/api/media', { params: { query: { limit: OFFERED } } }));
    return [...new Set(data.map((it) => it.filename))];
  }
  const collection = targetKey(target);
  const { data } = await call(api.GET('/admin/api/content/{collection}', { params: { path: { collection }, query: { limit: OFFERED } } }));
  return [...new Set(data.map((it) => it.slug || it.id))];
}
