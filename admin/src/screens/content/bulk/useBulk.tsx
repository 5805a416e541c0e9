import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { AdminEntry } from '~/api/schema';
import { t } from '~/i18n';
import { confirm, showDone, showError, showUndo } from '~/ui/feedback';
import { restoreLostFocus } from '~/ui/lost-focus';
import { askAboutUsages } from '~/usages/askAboutUsages';
import { useList } from '../list-context';
import { changeBody } from '../table/InlineEdit';
import { refreshEntries } from '../useEntries';
import { type BulkOutcome, type ChunkResult, publishChange, restoreStatusChange, restoreValueChange, runInChunks } from './bulk';
import { duplicateEntries, fetchEntriesById, restoreEntries, trashEntries, writeOwnValues, writeSameValues } from './bulk-api';
import { showFailures } from './BulkFailures';
import type { SharedValue } from './BulkSetField';

/** The running action, for a bar that shows its progress. */
export interface Running {
  through: number;
  total: number;
  stop: () => void;
}

export interface BulkActions {
  publish: (ids: readonly string[]) => void;
  unpublish: (ids: readonly string[]) => void;
  duplicate: (ids: readonly string[]) => void;
  trash: (ids: readonly string[]) => void;
  setField: (ids: readonly string[], change: SharedValue) => void;
}

/** Entries that one request changes: few enough to see that something happens. */
const CHUNK = 100;
/** The number of entries that one request may name: entries that go together do not keep each other. */
const TOGETHER = 1000;
/** From here on it is asked first. */
const MANY = 200;

interface Job {
  ids: readonly string[];
  question: string;
  /** The verb of the question, for the button that does it. */
  action: string;
  /** The further text of the question that is asked first. */
  about?: ReactNode;
  /** Asked before it is done with few. */
  ask?: () => Promise<boolean>;
  size?: number;
  step: (ids: readonly string[]) => Promise<ChunkResult>;
  done: (count: number) => string;
  undo?: (ids: readonly string[]) => Promise<ChunkResult>;
}

interface Hooks {
  /** Called before the list is fetched anew because of what was done here. */
  onChanged: () => void;
  /** Called with the entries that it was not possible for. */
  onLeft: (ids: readonly string[]) => void;
  titles: (id: string) => string | undefined;
}

/** Does things with many entries: in chunks, told about, and to be taken back. */
export function useBulk(hooks: Hooks): { running: Running | undefined; actions: BulkActions } {
  const { workspace, type, locale } = useList();
  const [running, setRunning] = useState<Running>();
  const latest = useRef(hooks);
  useEffect(() => {
    latest.current = hooks;
  });

  const inBar = useCallback(
    async (ids: readonly string[], size: number, step: Job['step']): Promise<BulkOutcome> => {
      const control = new AbortController();
      const at = (through: number) => setRunning({ through, total: ids.length, stop: () => control.abort() });
      at(0);
      const outcome = await runInChunks(ids, { size, onProgress: at, signal: control.signal }, step);
      setRunning(undefined);
      latest.current.onChanged();
      await refreshEntries(workspace, type.name);
      restoreLostFocus();
      return outcome;
    },
    [workspace, type.name],
  );

  const run = useCallback(
    async ({ ids, question, action, about = t('content.manyBody'), ask, size = CHUNK, step, done, undo }: Job) => {
      if (ids.length === 0) return;
      const sure = ids.length > MANY ? confirm({ title: question, body: about, action }) : (ask?.() ?? true);
      if (!(await sure)) return;
      const place = { workspace, type: type.name };
      const outcome = await inBar(ids, size, step);
      const failed = Object.keys(outcome.failed);
      latest.current.onLeft([...failed, ...outcome.left]);
      if (outcome.error !== undefined) showError(outcome.error);
      if (failed.length > 0) showFailures(place, outcome, ids.length, latest.current.titles);
      if (outcome.done.length === 0) return;
      const message = done(outcome.done.length);
      if (!undo) return showDone(message);
      showUndo(message, async () => {
        const back = await inBar(outcome.done, size, undo);
        if (back.error !== undefined) throw back.error;
        if (Object.keys(back.failed).length > 0) showFailures(place, back, outcome.done.length, latest.current.titles);
        else showDone(t('content.undone'));
      });
    },
    [inBar, workspace, type.name],
  );

  const actions = useMemo<BulkActions>(() => {
    const name = type.name;
    const status = (
      ids: readonly string[],
      question: string,
      action: string,
      done: Job['done'],
      change: (entry: AdminEntry) => Record<string, unknown>,
      about?: ReactNode,
    ) => {
      const before = new Map<string, Record<string, unknown>>();
      return run({
        ids,
        question,
        action,
        about,
        done,
        step: async (chunk) => {
          const entries = await fetchEntriesById(name, chunk, '', '');
          for (const it of entries) before.set(it.id, restoreStatusChange(it, new Date()));
          return withMissing(chunk, entries, await writeOwnValues(name, entries.map((it) => [it.id, change(it)])));
        },
        undo: (chunk) => writeOwnValues(name, chunk.map((id) => [id, before.get(id) ?? {}])),
      });
    };
    return {
      publish: (ids) =>
        void status(ids, t('content.publishMany', { count: ids.length }), t('content.publish'), (count) => t('content.published', { count }), (it) => publishChange(it, new Date())),
      unpublish: (ids) =>
        void status(ids, t('content.unpublishMany', { count: ids.length }), t('content.unpublish'), (count) => t('content.unpublished', { count }), () => ({ status: 'draft' })),
      duplicate: (ids) =>
        void run({
          ids,
          question: t('content.duplicateMany', { count: ids.length }),
          action: t('content.duplicate'),
          size: 10,
          step: (chunk) => duplicateEntries(name, chunk),
          done: (count) => t('content.duplicated', { count }),
        }),
      trash: (ids) =>
        void run({
          ids,
          question: t('content.trashMany', { count: ids.length }),
          action: t('content.trash'),
          about: t('content.trashManyBody'),
          ask: () =>
            askAboutUsages(workspace, name, ids.map((id) => ({ id, title: latest.current.titles(id) ?? '' }))).catch((error: unknown) => {
              showError(error);
              return false;
            }),
          size: TOGETHER,
          step: (chunk) => trashEntries(name, chunk),
          done: (count) => t('content.trashed', { count }),
          undo: (chunk) => restoreEntries(name, chunk),
        }),
      setField: (ids, { field, value, about }) => {
        const question = t('content.changeMany', { count: ids.length });
        const action = t('content.setFieldAction', { count: ids.length });
        if (field.key === 'status') {
          return void status(ids, question, action, (count) => t('content.changed', { count }), () => ({ status: value }), about);
        }
        const before = new Map<string, Record<string, unknown>>();
        return void run({
          ids,
          question,
          action,
          about,
          step: async (chunk) => {
            const entries = await fetchEntriesById(name, chunk, field.key, locale);
            const own = field.definition.localized === false ? '' : locale;
            for (const it of entries) before.set(it.id, restoreValueChange(it, field.key, own, type.root_locale));
            return writeSameValues(name, chunk, changeBody(field, value, locale));
          },
          done: (count) => t('content.changed', { count }),
          undo: (chunk) => writeOwnValues(name, chunk.map((id) => [id, before.get(id) ?? {}])),
        });
      },
    };
  }, [run, workspace, type, locale]);
  return { running, actions };
}

/** Entries that are not there any more count among those that failed. */
function withMissing(ids: readonly string[], found: readonly AdminEntry[], result: ChunkResult): ChunkResult {
  const there = new Set(found.map((it) => it.id));
  const missing = ids.filter((id) => !there.has(id)).map((id) => [id, t('content.missing')]);
  return { done: result.done, failed: { ...result.failed, ...Object.fromEntries(missing) } };
}
