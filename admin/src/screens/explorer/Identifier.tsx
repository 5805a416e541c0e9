import { Autocomplete } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, call } from '~/api/client';
import type { ContentTypeShape } from '~/api/fields';
import { queryKeys } from '~/api/keys';
import { type Key, t } from '~/i18n';
import { type Operation, type Target, targetKey } from './model';

interface IdentifierProps {
  workspace: string;
  target: Target;
  operation: Operation;
  types: readonly ContentTypeShape[];
  value: string;
  onChange: (id: string) => void;
}

/** Some of those that there are, to pick one from. */
const OFFERED = 50;

/** The object of a request: typed, or picked from a list. */
export function Identifier({ workspace, target, operation, types, value, onChange }: IdentifierProps) {
  const named = namesOf(target, operation, types);
  const { data = [] } = useQuery({
    queryKey: target.kind === 'type' ? queryKeys.entryIdentifiers(workspace, targetKey(target)) : queryKeys.mediaIdentifiers(workspace),
    queryFn: () => identifiers(target),
    enabled: named === undefined,
  });
  const label: Key =
    operation === 'view'
      ? 'explorer.view'
      : target.kind === 'feeds'
        ? 'explorer.contentType'
        : target.kind === 'media'
          ? 'explorer.filename'
          : 'explorer.identifier';
  return (
    <Autocomplete
      label={t(label)}
      description={target.kind === 'type' && operation !== 'view' ? t('explorer.identifierHint') : undefined}
      data={named ?? data}
      value={value}
      onChange={onChange}
      limit={OFFERED}
      maw={520}
      required
    />
  );
}

/** Returns the names to pick from where the schemas have them. */
function namesOf(target: Target, operation: Operation, types: readonly ContentTypeShape[]): string[] | undefined {
  if (target.kind === 'types') return types.map((it) => it.name);
  if (target.kind === 'feeds') return types.filter((it) => it.feed).map((it) => it.name);
  return target.kind === 'type' && operation === 'view' ? Object.keys(target.type.views ?? {}) : undefined;
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
