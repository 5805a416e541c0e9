import { List, Text } from '@mantine/core';
import { api, call } from '~/api/client';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { DeleteEffects } from '~/api/schema';
import { t } from '~/i18n';
import { confirm, showDone } from '~/ui/feedback';

/** Deletes a content type with all that belongs to it, after its name was typed. Gives whether it did. */
export async function deleteType(workspace: string, name: string, label: string): Promise<boolean> {
  const path = { collection: name };
  const loss = (await call(api.DELETE('/admin/api/content-types/{collection}', { params: { path, query: { dry_run: true } } })))
    .data as DeleteEffects;
  const sure = await confirm({
    title: t('types.delete', { type: label }),
    body: <Loss loss={loss} />,
    action: t('general.delete'),
    danger: true,
    typed: name,
  });
  if (!sure) return false;
  await call(api.DELETE('/admin/api/content-types/{collection}', { params: { path } }));
  queryClient.removeQueries({ queryKey: queryKeys.type(workspace, name) });
  await queryClient.invalidateQueries({ queryKey: queryKeys.types(workspace), exact: true });
  showDone(t('types.deleted', { type: label }));
  return true;
}

function Loss({ loss }: { loss: DeleteEffects }) {
  const parts = [
    loss.entries > 0 && t('types.loss.entries', { count: loss.entries }),
    loss.trash > 0 && t('types.loss.trash', { count: loss.trash }),
    loss.revisions > 0 && t('types.loss.revisions', { count: loss.revisions }),
  ].filter((it) => it !== false);
  return (
    <>
      <Text size="sm">{parts.length > 0 ? t('types.deleteBody') : t('types.deleteEmpty')}</Text>
      <List size="sm" my="xs">
        {parts.map((part) => (
          <List.Item key={part}>{part}</List.Item>
        ))}
      </List>
      {loss.references > 0 && <Text size="sm">{t('types.loss.references', { count: loss.references })}</Text>}
    </>
  );
}
