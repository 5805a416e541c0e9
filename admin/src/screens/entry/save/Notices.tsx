import { useState } from 'react';
import { isEmptyValue, toText } from '~/diff/values';
import { formatList, t } from '~/i18n';
import { copyText } from '~/ui/CopyButton';
import { showDone, showUndo } from '~/ui/feedback';
import { later } from '~/ui/later';
import { useEditing } from '../context';
import { isRemoved, type Values } from '../form/form';
import { labelOf } from '../form/labels';
import { offerUndo } from '../form/offer-undo';
import { isBroken, useFormState } from '../form/store';
import { conflictSides, type useActions } from '../useActions';
import { ChangedBanner, changedByText, DraftBanner, GoneBanner, ReadOnlyBanner, RemovedBanner } from './Banners';
import { type FoundDraft, overtakenSlots } from './drafts';
import type { useDraft } from './useDraft';
import type { Theirs } from './useServerVersion';

const BrokenNotice = later(() => import('./BrokenNotice').then((it) => it.BrokenNotice));

interface NoticesProps {
  control: ReturnType<typeof useActions>;
  drafts: ReturnType<typeof useDraft>;
}

/** The notices above the form. None of them takes the keyboard away. */
export function Notices({ control, drafts }: NoticesProps) {
  const { form, readOnly, rights, type } = useEditing();
  const { theirs, gone } = control.versions;
  const broken = useFormState(form, ({ entry }) => isBroken(entry));
  return (
    <>
      {broken ? <BrokenNotice /> : readOnly && <ReadOnlyBanner />}
      {gone && <GoneBanner onSaveAsNew={rights.create && !type.singleton ? control.copy : undefined} />}
      {drafts.found && !readOnly && <Found draft={drafts.found} settle={drafts.settle} discard={drafts.discard} control={control} />}
      {theirs && !gone && <Changed theirs={theirs} control={control} />}
      <Removed />
    </>
  );
}

/** Offers the texts of fields that the type no longer has. A save does not store them, so they stay here after one. */
function Removed() {
  const { form, type } = useEditing();
  const now = useFormState(form, ({ changed, values }) => [...changed].filter((it) => isRemoved(type, it) && !isEmptyValue(values[it])).join('\n'));
  const [kept, setKept] = useState<{ slots: string; values: Values }>();
  if (now !== '' && now !== kept?.slots) setKept({ slots: now, values: form.state().values });
  const slots = (kept?.slots.split('\n') ?? []).filter((it) => isRemoved(type, it));
  if (!kept || slots.length === 0) return null;
  const copy = async () => {
    const text = slots.map((it) => toText(kept.values[it])).join('\n\n');
    if (await copyText(text)) showDone(t('general.copied'));
  };
  const discard = () => {
    const { base, values } = form.state();
    const pick = (all: Values) => Object.fromEntries(slots.map((it) => [it, all[it]]));
    form.impose(pick(base));
    setKept(undefined);
    showUndo(t('entry.draft.discarded'), async () => {
      form.impose(pick(values));
      setKept(kept);
    });
  };
  return <RemovedBanner fields={formatList(slots.map((it) => labelOf(type, it)))} onCopy={() => void copy()} onDiscard={discard} />;
}

interface FoundProps {
  draft: FoundDraft;
  settle: (draft: FoundDraft) => void;
  discard: (draft: FoundDraft) => Promise<void>;
  control: NoticesProps['control'];
}

function Found({ draft, settle, discard, control }: FoundProps) {
  const { form, show } = useEditing();
  const take = (values: typeof draft.mine) => {
    form.replace(values);
    form.restoreTexts(draft);
    if (draft.raw) show({ tab: 'json' });
    settle(draft);
  };
  const compare = () => {
    const { values } = form.state();
    control.setReview({
      title: t('entry.draft.title'),
      explanation: t('entry.draft.body'),
      base: { ...values, ...draft.base },
      mine: { ...values, ...draft.mine },
      theirs: values,
      names: { mine: t('entry.side.draft'), theirs: t('entry.side.saved') },
      everything: true,
      action: t('entry.draft.take'),
      onDecide: (decided) => {
        control.closeReview();
        take(decided);
      },
    });
  };
  const restore = () => {
    const { values } = form.state();
    // What others have changed since is not written over without a look.
    if (overtakenSlots(values, draft).length > 0) compare();
    else take({ ...values, ...draft.mine });
  };
  return <DraftBanner draft={draft} onRestore={restore} onCompare={Object.keys(draft.mine).length > 0 ? compare : undefined} onDiscard={() => void discard(draft)} />;
}

function Changed({ theirs, control }: { theirs: Theirs; control: NoticesProps['control'] }) {
  const { form, type } = useEditing();
  const load = () => {
    form.load(theirs.entry);
    offerUndo(form, t('entry.loaded'));
  };
  const show = () =>
    control.setReview({
      title: t('entry.changed.title'),
      explanation: t('entry.changed.body', { who: changedByText(theirs) }),
      ...conflictSides(form, theirs.entry, type),
      action: t('entry.changed.take'),
      onDecide: (values) => {
        control.closeReview();
        form.rebase(theirs.entry, values);
      },
    });
  return <ChangedBanner by={theirs} onShow={show} onLoad={load} onKeep={control.versions.dismiss} />;
}
