import { SegmentedControl } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { isPending, PENDING } from '~/api/changes/change';
import { usePendingChange } from '~/api/changes/queries';
import { focusField } from '~/fields/focus';
import { FieldProblems } from '~/fields/problems';
import { WritingHeadProvider } from '~/fields/text/frame/writing-head';
import { UndoOfferProvider } from '~/fields/undo-offer';
import { t } from '~/i18n';
import { confirm } from '~/ui/feedback';
import { later } from '~/ui/later';
import { LeaveGuard } from '~/ui/LeaveGuard';
import { useSaveShortcut } from '~/ui/shortcuts';
import { type Editing, EditingProvider } from './context';
import classes from './Editor.module.css';
import { ErrorSummary } from './form/ErrorSummary';
import { Fields } from './form/Fields';
import { placeOf } from './form/form';
import { Locales } from './form/Locales';
import { offerUndo } from './form/offer-undo';
import { EntryForm, isBroken, isDirty, useFormState } from './form/store';
import { Head } from './Head';
import { Panel } from './panel/Panel';
import { useEntryRights } from './rights';
import { ChangeBar } from './changes/ChangeBar';
import { useLiveIsGone } from './changes/useProposal';
import { LIVE } from './view';
import { Notices } from './save/Notices';
import { useDraft } from './save/useDraft';
import type { EntryScreenProps } from './types';
import { useActions } from './useActions';
import { usePresence } from './usePresence';

// What most people never open is loaded when it is.
const ChangeDialog = later(() => import('./changes/ChangeDialog').then((it) => it.ChangeDialog));
const DifferencesDialog = later(() => import('./changes/DifferencesDialog').then((it) => it.DifferencesDialog));
const PreviewPane = later(() => import('./preview/PreviewPane').then((it) => it.PreviewPane));
const Translation = later(() => import('./translate/parts').then((it) => it.Translation));
const TranslationHead = later(() => import('./translate/parts').then((it) => it.TranslationHead));
const RawJson = later(() => import('./form/RawJson').then((it) => it.RawJson));
const ReviewDialog = later(() => import('./save/ReviewDialog').then((it) => it.ReviewDialog));
const WritingHead = later(() => import('./WritingHead').then((it) => it.WritingHead));
const ScheduleDialog = later(() => import('./panel/ScheduleDialog').then((it) => it.ScheduleDialog));

/** The editor of one entry. */
export function EntryScreen(props: EntryScreenProps) {
  const { workspace, type, id, view, latest } = props;
  const [form] = useState(() => new EntryForm(type, latest));
  useEffect(() => form.setShape(type), [form, type]);
  const editing = useEditingOf(props, form);
  const drafts = useDraft(workspace, type.name, draftName(id, view), form);
  const people = usePresence(workspace, type.name, editing.liveIsGone === false ? id : undefined);
  const control = useActions({ ...props, form, drafts, editing });
  const dirty = useFormState(form, isDirty);
  const { tab, preview: previewed } = useSearch({ strict: false }) as { tab?: string; preview?: string };
  const from = tab === 'json' ? undefined : editing.compare;
  const [wasApart, setWasApart] = useState(from === undefined);
  if (from === undefined && !wasApart) setWasApart(true);
  useSaveShortcut(control.actions.save, !editing.readOnly);
  useFirstFocus(form, editing.readOnly);
  useLeaveKey();
  const offer = useCallback((message: string) => offerUndo(form, message), [form]);
  const unfinished = useCallback((path: string, message: string | undefined) => form.setUnfinished(path, message), [form]);
  return (
    <EditingProvider value={editing}>
      <LeaveGuard dirty={dirty} param="change">{drafts.kept ? t('entry.leaveKept') : undefined}</LeaveGuard>
      <Head actions={control.actions} people={people} kept={drafts.kept} />
      <ChangeBar control={control} />
      <Notices control={control} drafts={drafts} />
      <FieldProblems onChange={unfinished} texts={form}>
        <div className={classes.columns} data-translating={from !== undefined || undefined}>
          <div className={classes.main}>
            <ErrorSummary />
            <div className={classes.tools}>
              {tab === 'json' ? <span /> : from ? <TranslationHead from={from} takesFocus={wasApart} /> : <Locales />}
              <SegmentedControl
                aria-label={t('entry.view')}
                value={tab === 'json' ? 'json' : 'fields'}
                onChange={(value) => editing.show({ tab: value === 'json' ? 'json' : undefined })}
                data={[
                  { value: 'fields', label: t('entry.fields') },
                  { value: 'json', label: 'JSON' },
                ]}
              />
            </div>
            <UndoOfferProvider value={offer}>{tab === 'json' ? (
              <RawJson />
            ) : (
              <WritingHeadProvider value={<WritingHead actions={control.actions} kept={drafts.kept} />}>
                {from ? <Translation from={from} /> : <Fields />}
              </WritingHeadProvider>
            )}</UndoOfferProvider>
          </div>
          <Panel />
          {previewed && <PreviewPane />}
        </div>
      </FieldProblems>
      <div className={classes.end} />
      {control.review && <ReviewDialog review={control.review} onClose={control.closeReview} />}
      {control.differences && <DifferencesDialog differences={control.differences} onClose={control.closeDifferences} />}
      {control.choosing && <ChangeDialog onChoose={control.saveInto} onClose={control.closeChoice} />}
      {control.scheduling && <ScheduleDialog onClose={control.closeSchedule} onSchedule={control.scheduleAt} />}
    </EditingProvider>
  );
}

/** The name under which typed values stay on the device: the same for what is live and the own draft of it. */
function draftName(id: string | undefined, view: string): string {
  return [id ?? '~new', ...(view === LIVE || view === PENDING ? [] : [view])].join('@');
}

/** Asks before JSON that cannot be read is given up for the fields. */
function leaveRaw(form: EntryForm, go: () => void): void {
  void confirm({ title: t('entry.raw.discard'), body: t('entry.raw.discardBody'), action: t('entry.draft.discard'), danger: true }).then((isGivenUp) => {
    if (!isGivenUp) return;
    form.setRaw(undefined);
    go();
  });
}

/** Esc leaves a field, unless the field or a dialog has a use for the key. */
function useLeaveKey(): void {
  useWindowEvent('keydown', ({ key, target, defaultPrevented }) => {
    if (key !== 'Escape' || defaultPrevented) return;
    if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) || target.closest('[role=dialog]')) return;
    target.blur();
  });
}

/** Returns the facts that all parts share; another object only when one of them has changed. */
function useEditingOf({ workspace, type, id, view, latest }: EntryScreenProps, form: EntryForm): Editing {
  const search = useSearch({ strict: false }) as { locale?: string; compare?: string };
  const navigate = useNavigate();
  const known = (code: string | undefined) => (code && type.locales.includes(code) ? code : undefined);
  const locale = known(search.locale) ?? type.root_locale;
  const compare = known(search.compare) === locale ? undefined : known(search.compare);
  const entry = useFormState(form, (state) => state.entry) ?? latest;
  const broken = isBroken(entry);
  const { update, publish, remove, create, revisions } = useEntryRights(workspace, type.name, entry, locale);
  const rights = useMemo(() => ({ update, publish, remove, create, revisions }), [update, publish, remove, create, revisions]);
  const gone = useLiveIsGone({ workspace, type, id, view });
  const ownId = usePendingChange(workspace, isPending(view))?.id;
  // Only its author writes into a pending change.
  const isOthersDraft = isPending(view) && view !== ownId;
  const show = useCallback<Editing['show']>(
    (change) => {
      const go = () => void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), replace: true, resetScroll: false });
      if ('tab' in change && change.tab !== 'json' && form.state().raw?.problem !== undefined) leaveRaw(form, go);
      else go();
    },
    [navigate, form],
  );
  const focus = useCallback(
    (path: string) => {
      const place = placeOf(path);
      const wanted = place.locale || (type.fields[place.field]?.localized !== false && place.field in type.fields ? type.root_locale : locale);
      // The source of a translation has an input as well, and all fields may be needed.
      show({ tab: undefined, only: undefined, ...(wanted && wanted !== locale && wanted !== compare && { locale: wanted }) });
      focusField(path);
    },
    [type, locale, compare, show],
  );
  return useMemo(
    () => ({ workspace, type, id, view, form, rights, liveIsGone: gone, readOnly: !rights.update || isOthersDraft || broken, locale, compare, show, focus }),
    [workspace, type, id, view, form, rights, gone, isOthersDraft, broken, locale, compare, show, focus],
  );
}

/** Somebody who makes an entry begins with its title. */
function useFirstFocus(form: EntryForm, readOnly: boolean): void {
  useEffect(() => {
    if (!form.state().entry && !readOnly) focusField('title');
  }, [form, readOnly]);
}
