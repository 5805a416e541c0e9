import { useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { isPending, PENDING } from '~/api/changes/change';
import { refreshChanges } from '~/api/changes/queries';
import { createChange, discardProposal, readDifferences } from '~/api/changes/requests';
import { isApiError } from '~/api/error';
import type { ContentTypeShape } from '~/api/fields';
import type { AdminEntry, Proposal } from '~/api/schema';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { confirm, Refused, showDone, showError, showUndo } from '~/ui/feedback';
import { restoreLostFocus } from '~/ui/lost-focus';
import { changeEntry, createEntry, readEntry, trashEntry } from '../data';
import { LIVE } from '../view';
import { bodyOf, changedSlots, createBody, threeWayMerge, type Values, valuesOf } from '../form/form';
import { knownErrors } from '../form/known-errors';
import type { EntryForm } from '../form/store';
import type { Review } from '../save/ReviewDialog';
import { keepStored } from '../save/useSave';
import type { ChosenChange } from './ChangeDialog';
import { baseOf } from './versions';

interface ChangeActionsOptions {
  workspace: string;
  type: ContentTypeShape;
  view: string;
  form: EntryForm;
  /** True if the entry was deleted that the proposal changes. */
  liveIsGone: boolean | undefined;
  onMoved: (view: string) => void;
  setReview: (review: Review | undefined) => void;
  /** Something has to be put right first. */
  onRefused: () => void;
  /** It is on the disk. */
  onSaved: () => void;
  /** Called when what the form says is in another version now, or given up. */
  onDone: () => void;
}

/** A version that something is put onto: read with its values, and the change that it is in. */
interface Target {
  view: string;
  entry: AdminEntry;
}

/** Everything that can be done with the proposal of a change for the edited entry. */
export function useChangeActions(options: ChangeActionsOptions) {
  const { workspace, type, view, form, liveIsGone, onMoved, setReview, onRefused, onSaved, onDone } = options;
  const navigate = useNavigate();
  const [differences, setDifferences] = useState<AdminEntry>();
  const [choosing, setChoosing] = useState(false);
  // A draft is done with when it is published; a change is published as a whole.
  const isDraft = view === PENDING || isPending(view);
  const idOf = () => form.state().entry?.id ?? '';

  /** Does something while the form says that it is being saved. */
  const run = async (work: () => Promise<void>) => {
    if (form.state().saving) return;
    const errors = knownErrors(type, form.state());
    if (errors) {
      form.setErrors(errors);
      onRefused();
      return;
    }
    form.setSaving(true);
    try {
      await work();
    } catch (error) {
      if (isApiError(error) && error.status === 422 && Object.keys(error.fields).length > 0) {
        form.setErrors(error.fields);
        onRefused();
      } else showError(error);
    } finally {
      form.setSaving(false);
    }
  };

  /** The values from which those of the form were begun, in what is live. */
  const readBegun = async (): Promise<Values> => {
    const { base } = form.state();
    return view === LIVE ? base : baseOf(base, (await readDifferences(view)).find((it) => it.collection === type.name && it.id === idOf()));
  };

  /** Puts what is in the form, and `set` beside it, onto a version; where both changed the same, somebody decides. */
  const putOnto = async (target: Target, begun: Values, done: (entry: AdminEntry, sent: Values) => Promise<void>, set: Values = {}): Promise<void> => {
    const mine = { ...form.state().values, ...set };
    const theirs = valuesOf(type, target.entry);
    const store = async (values: Values) => {
      const slots = changedSlots(theirs, values);
      if (slots.length === 0) return await done(target.entry, mine);
      try {
        const stored = await changeEntry(type, target.entry, bodyOf(type, values, slots), target.view);
        // Whoever may not publish after all has proposed it.
        if (stored.view !== target.view) throw new Refused(t('entry.changes.onlyProposed'));
        return await done(stored.entry, mine);
      } catch (error) {
        if (!isApiError(error, 'precondition_failed')) throw error;
        const entry = error.refusal.current ?? (await readEntry(type, target.entry.id, target.view));
        return await putOnto({ ...target, entry }, theirs, done, set);
      }
    };
    const merged = threeWayMerge(begun, mine, theirs);
    if (merged.conflicts.length === 0) return await store(merged.values);
    setReview({
      title: t('entry.changes.conflict'),
      explanation: t(target.view === LIVE ? 'entry.changes.conflictBody' : 'entry.changes.conflictIn'),
      base: begun,
      mine,
      theirs,
      names: { mine: t('entry.version.own'), theirs: t(target.view === LIVE ? 'entry.version.live' : 'entry.side.change') },
      action: t(target.view === LIVE ? 'entry.publish' : 'general.save'),
      onDecide: (values) => {
        setReview(undefined);
        void run(() => store(values));
      },
    });
  };

  /** Makes what is in the form live: this entry alone, whatever else waits in the same change. */
  const publish = () =>
    run(async () => {
      const id = idOf();
      const [entry, begun] = await Promise.all([readEntry(type, id), readBegun()]);
      await putOnto({ view: LIVE, entry }, begun, async (published, sent) => {
        if (isDraft) await discardProposal(view, { collection: type.name, id });
        await keepStored(workspace, type, published, LIVE);
        await refreshChanges(workspace);
        form.saved(published, sent);
        onMoved(LIVE);
        onSaved();
        showDone(tSingular('entry.changes.published', type));
      });
    });

  /** Opens another version of the entry. */
  const open = useCallback(
    (change: string | undefined, id: string) =>
      navigate({
        to: '/w/$workspace/content/$type/$id',
        params: { workspace, type: type.name, id },
        search: (before: object) => ({ ...before, change }),
        replace: true,
        ignoreBlocker: true,
      }),
    [navigate, workspace, type.name],
  );

  /** Makes what is in the form a part of a change. An own draft moves there; one that nobody sees may be published with it. */
  const saveInto = (chosen: ChosenChange, publishes: boolean) => {
    setChoosing(false);
    // Not in the form: a save of it must not publish what is live.
    const set: Values = publishes ? { status: 'published' } : {};
    void run(async () => {
      const change = 'id' in chosen ? chosen.id : (await createChange(chosen)).id;
      const finish = async (id: string) => {
        await refreshChanges(workspace);
        onDone();
        await open(change, id);
      };
      const id = idOf();
      if (!id) {
        const { entry } = await createEntry(type, createBody(type, { ...form.state().values, ...set }), change);
        return await finish(entry.id);
      }
      const [entry, begun] = await Promise.all([readEntry(type, id, change), readBegun()]);
      await putOnto({ view: change, entry }, begun, async (stored) => {
        if (view === PENDING) await discardProposal(PENDING, { collection: type.name, id });
        await keepStored(workspace, type, stored, change);
        await finish(id);
      }, set);
    });
  };

  const discard = (change: string, proposal: Proposal) =>
    // The bar with the button is gone by then.
    void discardOf(change, proposal).then(() => restoreLostFocus(), showError);

  const discardOf = async (change: string, proposal: Proposal) => {
    const { action, id, title } = proposal;
    if (action === 'create' || liveIsGone) {
      const question = liveIsGone
        ? { title: t('entry.gone.discardTitle'), body: t('entry.gone.discardBody', { title }) }
        : { title: tSingular('entry.changes.discardNew', type), body: t('entry.changes.discardNewBody', { title }) };
      if (!(await confirm({ ...question, action: t('entry.changes.discard') }))) return;
      await discardProposal(change, proposal);
      onDone();
      await refreshChanges(workspace);
      await navigate({ to: '/w/$workspace/content/$type', params: { workspace, type: type.name }, ignoreBlocker: true });
      return;
    }
    const { values } = form.state();
    await discardProposal(change, proposal);
    await refreshChanges(workspace);
    if (action === 'delete') {
      showUndo(t('entry.changes.discarded'), async () => {
        await trashEntry(type.name, id, change);
        await refreshChanges(workspace);
      });
      return;
    }
    const live = await readEntry(type, id);
    await keepStored(workspace, type, live, LIVE);
    onDone();
    if (change === PENDING) {
      form.adopt(live);
      onMoved(LIVE);
    } else await open(undefined, id);
    showUndo(t('entry.changes.discarded'), async () => {
      const slots = changedSlots(valuesOf(type, live), values);
      const { entry } = await changeEntry(type, live, bodyOf(type, values, slots), change);
      await keepStored(workspace, type, entry, change);
      await refreshChanges(workspace);
      await open(change, id);
    });
  };

  return {
    publish,
    discard,
    saveInto,
    choosing,
    chooseChange: () => setChoosing(true),
    closeChoice: () => setChoosing(false),
    differences,
    showDifferences: () => void readEntry(type, idOf()).then(setDifferences).catch(showError),
    closeDifferences: () => setDifferences(undefined),
  };
}
