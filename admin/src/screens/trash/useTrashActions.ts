import { type RefObject, useState } from 'react';
import { api, call } from '~/api/client';
import type { TrashedEntry } from '~/api/schema';
import { t } from '~/i18n';
import { confirm, showDone, showError, showUndo } from '~/ui/feedback';
import { restoreLostFocus } from '~/ui/lost-focus';
import { type Failure, purgeAll, renamedEntries, restoreAll, type Restored } from './actions';
import { refreshTrash } from './queries';

/** The result for entries that were to be restored or deleted. */
export interface Outcome {
  renamed: readonly Restored[];
  failed: readonly Failure[];
}

interface TrashActionsInput {
  workspace: string;
  type: string;
  /** The element that gets the keyboard when the row that had it is gone. */
  region: RefObject<HTMLElement | null>;
  onDone: () => void;
}

/** Restores and deletes, and tells what became of it. */
export function useTrashActions({ workspace, type, region, onDone }: TrashActionsInput) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [busy, setBusy] = useState(false);

  async function attempt(work: () => Promise<Outcome>): Promise<void> {
    setBusy(true);
    try {
      const told = await work();
      if (told.renamed.length + told.failed.length > 0) setOutcome(told);
      onDone();
    } catch (error) {
      showError(error);
    }
    await refreshTrash(workspace, type);
    setBusy(false);
    restoreLostFocus(() => region.current);
  }

  const restore = (entries: readonly TrashedEntry[]) =>
    attempt(async () => {
      const { restored, failed } = await restoreAll(type, entries);
      if (restored.length > 0) {
        showUndo(t('trash.restored', { count: restored.length, title: titleOf(restored) }), () =>
          trashAgain(restored).then(() => refreshTrash(workspace, type)),
        );
      }
      return { renamed: renamedEntries(restored), failed };
    });

  async function trashAgain(restored: readonly Restored[]): Promise<void> {
    for (const { entry } of restored) {
      const path = { collection: type, identifier: entry.id };
      await call(api.DELETE('/admin/api/content/{collection}/{identifier}', { params: { path } }));
    }
  }

  async function purge(entries: readonly TrashedEntry[]): Promise<void> {
    const [first] = entries;
    if (!first) return;
    const sure = await confirm({
      title: t('trash.purgeTitle', { count: entries.length, title: first.title || first.slug }),
      body: t('trash.purgeBody'),
      action: t('trash.purge'),
      danger: true,
    });
    if (!sure) return;
    await attempt(async () => {
      const { deleted, failed } = await purgeAll(type, entries);
      if (deleted > 0) showDone(t('trash.purged', { count: deleted }));
      return { renamed: [], failed };
    });
  }

  return { restore, purge, busy, outcome, closeOutcome: () => setOutcome(undefined) };
}

/** The actions, for the parts of the screen. */
export type TrashActions = ReturnType<typeof useTrashActions>;

function titleOf([first]: readonly Restored[]): string {
  return first ? first.entry.title || first.entry.slug : '';
}
