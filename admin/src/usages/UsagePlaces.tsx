import { Anchor, List, Text } from '@mantine/core';
import { type ContentTypeShape, fieldLabel } from '~/api/fields';
import { queryClient } from '~/api/query';
import type { Usage } from '~/api/schema';
import { contentTypesQuery } from '~/api/session';
import { withBase } from '~/base';
import { t } from '~/i18n';

/** The number of places that are named; the others are counted. */
export const NAMED = 8;

interface UsagePlacesProps {
  workspace: string;
  usages: readonly Usage[];
  total: number;
}

/** The entries that refer to others, each with the field that does, and the way there. */
export function UsagePlaces({ workspace, usages, total }: UsagePlacesProps) {
  const types = queryClient.getQueryData<readonly ContentTypeShape[]>(contentTypesQuery(workspace).queryKey) ?? [];
  const named = usages.slice(0, NAMED);
  return (
    <List size="sm" my="sm" spacing={4}>
      {named.map((it) => {
        const shape = types.find(({ name }) => name === it.type);
        const version = it.change ? `?change=${it.change}` : '';
        return (
          <List.Item key={`${it.type}/${it.id}/${it.field}`}>
            <Anchor
              inherit
              href={withBase(`/admin/w/${workspace}/content/${it.type}/${it.id}${version}`)}
              target="_blank"
              rel="noopener noreferrer"
            >
              {it.title || it.id}
            </Anchor>{' '}
            <Text span size="xs" c="dimmed">
              {shape?.label ?? it.type} · {fieldLabel(it.field, shape?.fields[it.field])}
            </Text>
          </List.Item>
        );
      })}
      {total > named.length && <List.Item>{t('entry.used.more', { count: total - named.length })}</List.Item>}
    </List>
  );
}
