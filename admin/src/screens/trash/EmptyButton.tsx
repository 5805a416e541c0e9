import { Button } from '@mantine/core';
import { IconTrashX } from '@tabler/icons-react';
import { api, call } from '~/api/client';
import { labelled, t } from '~/i18n';
import { confirm, showDone, showError } from '~/ui/feedback';
import { refreshTrash } from './queries';

interface EmptyButtonProps {
  workspace: string;
  type: string;
  label: string;
  count: number;
  /** After it was done: where the keyboard goes. */
  onDone?: () => void;
}

/** Empties the trash of a content type, once its name was typed. */
export function EmptyButton({ workspace, type, label, count, onDone }: EmptyButtonProps) {
  async function empty(): Promise<void> {
    const sure = await confirm({
      title: t('trash.emptyTitle', { type: label }),
      body: t('trash.emptyBody', { count }),
      action: t('trash.emptyAction'),
      danger: true,
      typed: label,
    });
    if (!sure) return;
    try {
      const { data } = await call(api.DELETE('/admin/api/trash/{collection}', { params: { path: { collection: type } } }));
      showDone(
        data.failed > 0
          ? t('trash.emptiedPartly', { deleted: data.deleted, failed: data.failed })
          : t('trash.purged', { count: data.deleted }),
      );
    } catch (error) {
      showError(error);
    }
    await refreshTrash(workspace, type);
    onDone?.();
  }
  return (
    <Button
      variant="default"
      size="xs"
      c="red"
      leftSection={<IconTrashX size={16} aria-hidden />}
      onClick={empty}
      aria-label={labelled(t('trash.emptyAction'), label)}
    >
      {t('trash.emptyAction')}
    </Button>
  );
}
