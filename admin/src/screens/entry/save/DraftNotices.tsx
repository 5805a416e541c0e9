import { IconDeviceFloppy, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCan } from '~/api/session';
import { formatRelative, t } from '~/i18n';
import { useProposals } from '../changes/useProposal';
import { useEditing } from '../context';
import { Actions, Banner } from './Banners';
import { type Draft, type FoundDraft, overtakenSlots } from './drafts';
import type { NoticesProps } from './Notices';

interface GoneBannerProps {
  /** True if what is shown is a draft that still exists. */
  isDraft?: boolean;
  onOpenTrash?: (() => void) | undefined;
  onSaveAsNew: (() => void) | undefined;
  onDiscard?: (() => void) | undefined;
}

/** The entry was deleted, while it was open or while there was a draft of it. */
export function GoneBanner({ isDraft, onOpenTrash, onSaveAsNew, onDiscard }: GoneBannerProps) {
  const actions = [
    onOpenTrash && { label: t('entry.gone.openTrash'), act: onOpenTrash },
    onSaveAsNew && { label: t('entry.gone.saveAsNew'), act: onSaveAsNew },
    onDiscard && { label: t('entry.gone.discard'), act: onDiscard },
  ].filter((it) => it !== undefined);
  return (
    <Banner icon={IconTrash} tone="red" actions={<Actions actions={actions} />}>
      {t(isDraft ? 'entry.gone.draft' : 'entry.gone')}
    </Banner>
  );
}

/** Changes of last time were found on this device. */
function DraftBanner({ draft, onRestore, onCompare, onDiscard }: { draft: Draft; onRestore: () => void; onCompare: (() => void) | undefined; onDiscard: () => void }) {
  const actions = [
    { label: t('entry.draft.restore'), act: onRestore },
    ...(onCompare ? [{ label: t('entry.draft.compare'), act: onCompare }] : []),
    { label: t('entry.draft.discard'), act: onDiscard },
  ];
  return (
    <Banner icon={IconDeviceFloppy} tone="amber" actions={<Actions actions={actions} />}>
      {t('entry.draft.found', { time: formatRelative(draft.at) })}
    </Banner>
  );
}

/** Says that the entry of a draft is gone, and offers what can still be done with the draft. */
export function GoneDraftNotice({ control }: Pick<NoticesProps, 'control'>) {
  const { workspace, type, view, rights, readOnly } = useEditing();
  const navigate = useNavigate();
  const can = useCan();
  const { shown } = useProposals();
  const openTrash = () => void navigate({ to: '/w/$workspace/trash', params: { workspace }, search: { type: type.name } });
  return (
    <GoneBanner
      isDraft
      onOpenTrash={can('content.restore', `content:${type.name}:*`) ? openTrash : undefined}
      onSaveAsNew={rights.create && !type.singleton ? control.copy : undefined}
      onDiscard={shown && !readOnly ? () => control.discard(view, shown) : undefined}
    />
  );
}

interface FoundProps {
  draft: FoundDraft;
  settle: (draft: FoundDraft) => void;
  discard: (draft: FoundDraft) => Promise<void>;
  control: NoticesProps['control'];
}

/** Offers what was typed on this device and not saved. */
export function FoundDraftNotice({ draft, settle, discard, control }: FoundProps) {
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
