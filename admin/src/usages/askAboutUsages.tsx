/** Asks before entries go that others refer to. */
import { Anchor, List, Text } from '@mantine/core';
import { api, call } from '~/api/client';
import { type ContentTypeShape, fieldLabel } from '~/api/fields';
import { queryClient } from '~/api/query';
import { contentTypesQuery } from '~/api/session';
import { at } from '~/base';
import { t } from '~/i18n';
import { confirm } from '~/ui/feedback';

/** What is about to go. */
interface Going {
  id: string;
  title: string;
}

/** An entry that refers to another one, and by which field. */
interface Usage {
  type: string;
  id: string;
  title: string;
  field: string;
}

interface Used {
  usages: Usage[];
  total: number;
}

/** How many places are named; the others are counted. */
const NAMED = 8;
/** Questions that are under way at a time. */
const AT_ONCE = 6;

/** Whether entries may go to the trash: at once where no other entry refers to them, else as it is answered. */
export async function askAboutUsages(workspace: string, type: string, going: readonly Going[]): Promise<boolean> {
  const { usages, total } = await usagesOf(type, going);
  if (total === 0) return true;
  const types = queryClient.getQueryData<readonly ContentTypeShape[]>(contentTypesQuery(workspace).queryKey) ?? [];
  return confirm({
    title: t('entry.used', { count: going.length, title: going[0]?.title || t('entry.untitled') }),
    body: <Places workspace={workspace} types={types} usages={usages} total={total} many={going.length > 1} />,
    action: t('entry.trash'),
    danger: true,
  });
}

/** Who refers to entries; those that go themselves do not count. */
async function usagesOf(type: string, going: readonly Going[]): Promise<Used> {
  const own = new Set(going.map((it) => it.id));
  const all: Used = { usages: [], total: 0 };
  const waiting = [...going];
  const ask = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const params = { path: { collection: type, identifier: next.id }, query: { limit: NAMED + own.size } };
      const { data, meta } = await call(api.GET('/admin/api/content/{collection}/{identifier}/usages', { params }));
      const others = data.filter((it) => it.type !== type || !own.has(it.id));
      all.usages.push(...others);
      all.total += Number(meta?.total ?? data.length) - (data.length - others.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, ask));
  return all;
}

interface PlacesProps extends Used {
  workspace: string;
  types: readonly ContentTypeShape[];
  many: boolean;
}

function Places({ workspace, types, usages, total, many }: PlacesProps) {
  const named = usages.slice(0, NAMED);
  return (
    <>
      <Text size="sm">{t(many ? 'entry.used.bodyMany' : 'entry.used.body', { count: total })}</Text>
      <List size="sm" my="sm" spacing={4}>
        {named.map((it) => {
          const shape = types.find(({ name }) => name === it.type);
          return (
            <List.Item key={`${it.type}/${it.id}/${it.field}`}>
              <Anchor inherit href={at(`/admin/w/${workspace}/content/${it.type}/${it.id}`)} target="_blank" rel="noreferrer">
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
    </>
  );
}
