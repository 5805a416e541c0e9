import { Autocomplete } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { t } from '~/i18n';
import { type Target, targetKey } from './model';

interface IdentifierProps {
  workspace: string;
  target: Target;
  types: readonly { name: string }[];
  value: string;
  onChange: (id: string) => void;
}

/** Some of those that there are, to pick one from. */
const OFFERED = 50;

/** The object of a request: typed, or picked from a list. */
export function Identifier({ workspace, target, types, value, onChange }: IdentifierProps) {
  const { data = [] } = useQuery({
    queryKey: target.kind === 'type' ? queryKeys.entryIdentifiers(workspace, targetKey(target)) : queryKeys.mediaIdentifiers(workspace),
    queryFn: () => identifiers(target),
    enabled: target.kind !== 'types',
  });
  return (
    <Autocomplete
      label={target.kind === 'media' ? t('explorer.filename') : t('explorer.identifier')}
      description={target.kind === 'type' ? t('explorer.identifierHint') : undefined}
      data={target.kind === 'types' ? types.map((it) => it.name) : data}
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
