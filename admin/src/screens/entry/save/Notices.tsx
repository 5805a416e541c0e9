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
import { ChangedBanner, changedByText, ReadOnlyBanner, RemovedBanner } from './Banners';
import type { useDraft } from './useDraft';
import type { Theirs } from './useServerVersion';

// Hardly anybody sees these.
const BrokenNotice = later(() => import('./BrokenNotice').then((it) => it.BrokenNotice));
const FoundDraftNotice = later(() => import('./DraftNotices').then((it) => it.FoundDraftNotice));
const GoneBanner = later(() => import('./DraftNotices').then((it) => it.GoneBanner));
const GoneDraftNotice = later(() => import('./DraftNotices').then((it) => it.GoneDraftNotice));

export interface NoticesProps {
  control: ReturnType<typeof useActions>;
  drafts: ReturnType<typeof useDraft>;
}

/** The notices above the form. None of them takes the keyboard away. */
export function Notices({ control, drafts }: NoticesProps) {
  const { form, readOnly, rights, type, liveIsGone } = useEditing();
  const { theirs, gone } = control.versions;
  const broken = useFormState(form, ({ entry }) => isBroken(entry));
  return (
    <>
      {broken ? <BrokenNotice /> : readOnly && <ReadOnlyBanner />}
      {liveIsGone ? <GoneDraftNotice control={control} /> : gone && <GoneBanner onSaveAsNew={rights.create && !type.singleton ? control.copy : undefined} />}
      {drafts.found && !readOnly && <FoundDraftNotice draft={drafts.found} settle={drafts.settle} discard={drafts.discard} control={control} />}
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
