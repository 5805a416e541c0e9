import { useCallback } from 'react';
import { refreshChanges } from '~/api/changes/queries';
import { isApiError } from '~/api/error';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import type { AdminEntry } from '~/api/schema';
import { isSameValue } from '~/diff/values';
import { formatList, t } from '~/i18n';
import { showDone } from '~/ui/feedback';
import { useSaveQueue } from '~/ui/save-queue';
import { changeEntry, createEntry, readEntry } from '../data';
import { LIVE } from '../view';
import { bodyOf, createBody, type Shape, threeWayMerge, type Values, valuesOf } from '../form/form';
import { knownErrors } from '../form/known-errors';
import { labelOf } from '../form/labels';
import type { EntryForm } from '../form/store';

/** Both sides changed the same value, so somebody has to decide. */
class Conflict extends Error {
  constructor(readonly theirs: AdminEntry) {
    super('conflict');
  }
}

interface SaveOptions {
  workspace: string;
  shape: Shape;
  form: EntryForm;
  /** Returns the version to save into, with what else is to be saved. */
  chooseView: (set: Values) => string;
  /** It was saved into this version. */
  onMoved: (view: string) => void;
  /** Both sides changed the same values; `set` is what else was to be saved. */
  onConflict: (theirs: AdminEntry, set: Values) => void;
  /** The entry is no longer there. */
  onGone: () => void;
  onCreated: (entry: AdminEntry) => void;
  /** Something has to be put right first. */
  onRefused: () => void;
  /** All that is left to save is a text that is no value yet, in an input that is not shown. */
  onUnfinished: (path: string) => void;
  /** It is on the disk. */
  onSaved: (entry: AdminEntry) => void;
}

/**
 * Saves what was changed, and only that. What others changed meanwhile is merged in where it was
 * another field. Gives the entry once it is saved, nothing when it was refused.
 */
export function useSave(options: SaveOptions): (set?: Values) => Promise<AdminEntry | undefined> {
  const save = useSaveQueue((set: Values) => attempt(options, set));
  return useCallback((set = {}) => save(set), [save]);
}

async function attempt(options: SaveOptions, set: Values): Promise<AdminEntry | undefined> {
  const { form, shape } = options;
  const { values: before, unfinished, texts, changed: edited } = form.state();
  const left = Object.keys(texts).find((it) => !(it in unfinished));
  if (left !== undefined && edited.size === 0 && Object.keys(set).length === 0) {
    options.onUnfinished(left);
    return undefined;
  }
  const errors = knownErrors(shape, form.state());
  if (errors) {
    form.setErrors(errors);
    options.onRefused();
    return undefined;
  }
  form.impose(set);
  const { entry: known, changed } = form.state();
  if (known && changed.size === 0) return known;
  form.setSaving(true);
  try {
    const taken: string[] = [];
    const entry = await send(options, set, taken);
    if (taken.length > 0) showDone(t('entry.savedWith', { fields: formatList(taken.map((it) => labelOf(shape, it))) }));
    options.onSaved(entry);
    if (!known) options.onCreated(entry);
    return entry;
  } catch (error) {
    // A status that could not be saved is not left behind in the form.
    for (const [slot, value] of Object.entries(set)) {
      if (isSameValue(form.state().values[slot], value)) form.impose({ [slot]: before[slot] });
    }
    refused(options, error, set);
    return undefined;
  } finally {
    form.setSaving(false);
  }
}

async function send(options: SaveOptions, set: Values, taken: string[]): Promise<AdminEntry> {
  const { form, shape, workspace } = options;
  const { entry, base, values, changed } = form.state();
  const target = options.chooseView(set);
  try {
    const { entry: saved, view } = entry
      ? await changeEntry(shape, entry, bodyOf(shape, values, changed), target)
      : await createEntry(shape, createBody(shape, values), target);
    await keepStored(workspace, shape, saved, view);
    form.saved(saved, values);
    if (view !== LIVE) await refreshChanges(workspace);
    options.onMoved(view);
    return saved;
  } catch (error) {
    if (!entry || !isApiError(error, 'precondition_failed')) throw error;
    const theirs = error.refusal.current ?? (await readEntry(shape, entry.id, target));
    const merged = threeWayMerge(base, form.state().values, valuesOf(shape, theirs));
    if (merged.conflicts.length > 0) throw new Conflict(theirs);
    form.rebase(theirs, merged.values);
    taken.push(...merged.taken.filter((it) => !taken.includes(it)));
    return await send(options, set, taken);
  }
}

/** Puts what was stored in the place of what was fetched. */
export async function keepStored(workspace: string, shape: Shape, entry: AdminEntry, view: string): Promise<void> {
  // An answer that is on its way may be older than this one.
  const queryKey = queryKeys.editedEntry(workspace, shape.name, shape.singleton ? shape.name : entry.id, view);
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, entry);
}

function refused(options: SaveOptions, error: unknown, set: Values): void {
  options.form.setFailure(undefined);
  if (error instanceof Conflict) options.onConflict(error.theirs, set);
  else if (isApiError(error) && error.status === 422 && Object.keys(error.fields).length > 0) {
    options.form.setErrors(error.fields);
    options.onRefused();
  } else if (isApiError(error, 'not_found') && options.form.state().entry) options.onGone();
  else options.form.setFailure({ error, set });
}
