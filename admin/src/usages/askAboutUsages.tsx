/** Entries that others refer to: asks before they go, and says why they stay. */
import { Text } from '@mantine/core';
import { api, call } from '~/api/client';
import { isApiError } from '~/api/error';
import type { Usage } from '~/api/schema';
import { t } from '~/i18n';
import { confirm, showMessage } from '~/ui/feedback';
import { NAMED, UsagePlaces } from './UsagePlaces';

/** The objects that are about to go. */
interface Going {
  id: string;
  title: string;
}

interface Used {
  usages: Usage[];
  total: number;
}

/** Questions that are under way at a time. */
const AT_ONCE = 6;

/** Checks whether entries may go to the trash: at once where no other entry refers to them, else as it is answered. */
export async function askAboutUsages(workspace: string, type: string, going: readonly Going[]): Promise<boolean> {
  const { usages, total } = await usagesOf(type, going);
  if (total === 0) return true;
  return confirm({
    title: t('entry.used', { count: going.length, title: going[0]?.title || t('general.untitled') }),
    body: (
      <>
        <Text size="sm">{t(going.length > 1 ? 'entry.used.bodyMany' : 'entry.used.body', { count: total })}</Text>
        <UsagePlaces workspace={workspace} usages={usages} total={total} />
      </>
    ),
    action: t('entry.trash'),
    danger: true,
  });
}

/** Says that an entry stays because of others, if `error` is that. */
export function tellWhatKeeps(workspace: string, title: string, error: unknown): boolean {
  if (!isApiError(error, 'conflict') || !error.refusal.usages) return false;
  const { usages } = error.refusal;
  showMessage({
    title: t('entry.used.kept', { title: title || t('general.untitled') }),
    body:
      usages.length === 0 ? (
        t('entry.used.hidden')
      ) : (
        <>
          <Text size="sm">{t('entry.used.keptBody')}</Text>
          <UsagePlaces workspace={workspace} usages={usages} total={usages.length} />
        </>
      ),
  });
  return true;
}

/** Returns the entries that refer to others; those that go themselves do not count. */
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
