import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';
import { PENDING } from '~/api/changes/change';
import { refreshChanges } from '~/api/changes/queries';
import { discardProposal } from '~/api/changes/requests';
import type { AdminEntry } from '~/api/schema';
import { t } from '~/i18n';
import { tSingular } from '~/i18n/singular';
import { Refused, showDone, showError, showUndo } from '~/ui/feedback';
import { isAhead } from '~/ui/status';
import { askAboutUsages, tellWhatKeeps } from '~/usages/askAboutUsages';
import type { Editing } from './context';
import { useChangeActions } from './changes/useChangeActions';
import { isGuarded } from './changes/versions';
import { createEntry, duplicateEntry, readEntry, restoreEntry, trashEntry } from './data';
import { LIVE } from './view';
import { copyBody, type Shape, type Values, valuesOf } from './form/form';
import type { EntryForm } from './form/store';
import { changedByText } from './save/Banners';
import type { Review } from './save/ReviewDialog';
import type { Actions } from './save/SaveButton';
import type { useDraft } from './save/useDraft';
import { useSave } from './save/useSave';
import { useServerVersion } from './save/useServerVersion';
import type { EntryScreenProps } from './types';

interface ActionsOptions extends EntryScreenProps {
  form: EntryForm;
  drafts: ReturnType<typeof useDraft>;
  editing: Editing;
}

/** Everything that can be done with the entry, and the questions that come up on the way. */
export function useActions(options: ActionsOptions) {
  const { workspace, type, view, form, drafts, latest, latestAt, missing, editing, onMoved } = options;
  const navigate = useNavigate();
  const [review, setReview] = useState<Review>();
  const [scheduling, setScheduling] = useState(false);
  const versions = useServerVersion({
    workspace,
    shape: type,
    form,
    latest,
    latestAt,
    onFollowed: (maker) => showDone(changedByText(maker)),
  });
  const { setGone } = versions;
  useEffect(() => {
    if (missing && form.state().entry) setGone(true);
  }, [missing, form, setGone]);
  const open = useCallback(
    (id: string) => navigate({ to: '/w/$workspace/content/$type/$id', params: { workspace, type: type.name, id }, ignoreBlocker: true }),
    [navigate, workspace, type.name],
  );
  const changes = useChangeActions({
    workspace,
    type,
    view,
    form,
    liveIsGone: editing.liveIsGone,
    onMoved,
    setReview,
    onRefused: () => showFirstError(options),
    onSaved: drafts.saved,
    onDone: () => void drafts.drop(),
  });
  const save = useSave({
    workspace,
    shape: type,
    form,
    onMoved,
    // Who changes the status by a button means what is live, and at once.
    chooseView: (set) => (Object.keys(set).length === 0 && isGuarded(type, view, form.state().entry) ? draftOf(view) : view),
    onConflict: (theirs, set) => setReview(conflict(theirs, set)),
    onGone: () => setGone(true),
    onCreated: options.onCreated,
    onRefused: () => showFirstError(options),
    onUnfinished: editing.focus,
    onSaved: drafts.saved,
  });
  /** Refuses to go on without what the form lacks: JSON that cannot be read. */
  const refusesRaw = () => {
    const isBroken = form.state().raw?.problem !== undefined;
    if (isBroken) showError(new Refused(t('entry.raw.broken')));
    return isBroken;
  };
  /** Makes an entry of what the form says and opens it; this one stays as the server has it. */
  const copy = () => {
    if (refusesRaw()) return;
    createEntry(type, copyBody(type, form.state().values))
      .then(async ({ entry }) => {
        await drafts.drop();
        showDone(t('entry.copied'));
        await open(entry.id);
      })
      .catch((error: unknown) => showCopyError(options, error));
  };
  const conflict = (theirs: AdminEntry, set: Values): Review => ({
    title: t('entry.conflict'),
    explanation: t('entry.conflict.body', { who: changedByText(versions.maker) }),
    ...conflictSides(form, theirs, type),
    action: t('entry.conflict.save'),
    onSaveAsCopy: type.singleton ? undefined : copy,
    onDecide: (values) => {
      setReview(undefined);
      form.rebase(theirs, values);
      void save(set);
    },
  });
  const act = (set?: Values) => (refusesRaw() ? undefined : save(set));
  const actions: Actions = {
    save: () => void act(),
    retry: ({ set }) => void act(set),
    publish: () => {
      if (refusesRaw()) return;
      const { entry } = form.state();
      // What was planned for later is to be public now.
      if (view === LIVE && entry && isAhead(entry)) void act({ status: 'published', published_at: null });
      else void (view === PENDING || isGuarded(type, view, entry) ? changes.publish() : act({ status: 'published' }));
    },
    unpublish: () => void act({ status: 'draft' }),
    schedule: () => setScheduling(true),
    saveAndNew: () => void Promise.resolve(act()).then((entry) => entry && options.onAnother()),
    saveAsCopy: copy,
    saveInto: () => refusesRaw() || changes.chooseChange(),
    duplicate: () => void duplicateEntry(type, form.state().entry?.id ?? '').then((entry) => open(entry.id)).catch(showError),
    trash: () => void trash().catch(showError),
  };
  const trash = async () => {
    const { entry } = form.state();
    if (!entry || !(await askAboutUsages(workspace, type.name, [entry]))) return;
    const isProposed = view === PENDING ? !editing.rights.publish : view !== LIVE || (isGuarded(type, view, entry) && !editing.rights.publish);
    try {
      await trashEntry(type.name, entry.id, isProposed ? draftOf(view) : undefined);
    } catch (error) {
      if (tellWhatKeeps(workspace, entry.title, error)) return;
      throw error;
    }
    if (isProposed) return await tellProposedDeletion(entry);
    await drafts.drop();
    if (view === PENDING) await discardProposal(PENDING, { collection: type.name, id: entry.id }).catch(() => {});
    if (type.drafts) await refreshChanges(workspace);
    const to = type.singleton ? '/w/$workspace' : '/w/$workspace/content/$type';
    await navigate({ to, params: { workspace, type: type.name }, ignoreBlocker: true });
    showUndo(tSingular('entry.trashed', type, { title: entry.title || t('general.untitled') }), async () => {
      await restoreEntry(type.name, entry.id);
      await open(entry.id);
    });
  };
  /** The entry stays as it is until the deletion is published. */
  const tellProposedDeletion = async (entry: AdminEntry) => {
    const change = draftOf(view);
    await drafts.drop();
    await refreshChanges(workspace);
    form.adopt(await readEntry(type, entry.id));
    onMoved(LIVE);
    showUndo(t('entry.changes.deletionProposed', { title: entry.title || t('general.untitled') }), async () => {
      await discardProposal(change, { collection: type.name, id: entry.id });
      await refreshChanges(workspace);
    });
  };
  return {
    ...changes,
    actions,
    versions,
    copy,
    review,
    setReview,
    closeReview: () => setReview(undefined),
    scheduling,
    closeSchedule: () => setScheduling(false),
    scheduleAt: (at: string) => {
      setScheduling(false);
      void act({ status: 'scheduled', published_at: at });
    },
  };
}

/** The change that a save goes into where what is public stays as it is. */
function draftOf(view: string): string {
  return view === LIVE ? PENDING : view;
}

/** The two sides of a conflict: what is typed here, and what the server has. */
export function conflictSides(form: EntryForm, theirs: AdminEntry, shape: Shape) {
  const { base, values } = form.state();
  const names = { mine: t('entry.side.mine'), theirs: t('entry.side.theirs') };
  return { base, mine: values, theirs: valuesOf(shape, theirs), names };
}

function showFirstError({ form, editing }: ActionsOptions): void {
  const [first] = Object.keys(form.state().errors);
  if (first) editing.focus(first);
}

function showCopyError(options: ActionsOptions, error: unknown): void {
  const fields = (error as { fields?: Record<string, string> }).fields;
  if (fields && Object.keys(fields).length > 0) {
    options.form.setErrors(fields);
    showFirstError(options);
  } else showError(error);
}
