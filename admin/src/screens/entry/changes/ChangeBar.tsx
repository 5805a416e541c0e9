import { Button, Group, SegmentedControl, Select } from '@mantine/core';
import { IconEye, IconGitPullRequestDraft, IconInfoCircle } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { isPending, PENDING } from '~/api/changes/change';
import type { Change } from '~/api/schema';
import { t } from '~/i18n';
import { changeLink } from '~/links';
import { useEditing } from '../context';
import { LIVE } from '../view';
import classes from '../Editor.module.css';
import { useFormState } from '../form/store';
import { Banner } from '../save/Banners';
import type { useActions } from '../useActions';
import { useProposals } from './useProposal';
import { isGuarded } from './versions';

/** More versions than these are chosen from a list. */
const TABS = 3;

type Control = ReturnType<typeof useActions>;

/** Says which version of the entry is edited, what becomes of it, and leads to the others. */
export function ChangeBar({ control }: { control: Control }) {
  const { type, id, view, form, rights, readOnly, liveIsGone } = useEditing();
  const entry = useFormState(form, (state) => state.entry);
  const { own, named, shown } = useProposals();
  // Another bar says so, and what can still be done.
  if (liveIsGone) return null;
  const versions = [
    ...(shown?.action === 'create' ? [] : [{ value: LIVE, label: t('entry.version.live') }]),
    ...((own && own.action !== 'delete') || view === PENDING ? [{ value: PENDING, label: t('entry.version.own') }] : []),
    ...named.map((it) => ({ value: it.id, label: nameOf(it) })),
  ];
  const current = named.find((it) => it.id === view);
  const label = current ? nameOf(current) : '';
  const text = textOf();
  if (!text && versions.length < 2) {
    const note = !readOnly && !rights.publish && isGuarded(type, view, entry);
    return note ? <Banner icon={IconInfoCircle}>{t('entry.changes.noPublish')}</Banner> : null;
  }
  const icon = view === LIVE && own?.action !== 'delete' ? IconEye : IconGitPullRequestDraft;
  return (
    <Banner
      icon={icon}
      tone={view === LIVE && own?.action !== 'delete' ? undefined : 'violet'}
      actions={
        <>
          {versions.length > 1 && <VersionSwitch versions={versions} />}
          <BarActions control={control} />
        </>
      }
    >
      {text}
      {view === PENDING && !rights.publish && ` ${t('entry.changes.whoPublishes')}`}
    </Banner>
  );

  function textOf(): string {
    if (view === PENDING) return t(own ? 'entry.changes.notPublic' : 'entry.changes.gone');
    if (isPending(view)) return t('entry.changes.draftOf', { name: current?.author_name ?? t('entry.otherUser') });
    if (view !== LIVE) return t(id === undefined ? 'entry.changes.newIn' : shown ? 'entry.changes.proposedIn' : 'entry.changes.notYetIn', { change: label });
    if (own?.action === 'delete') return t('entry.changes.deletion');
    return versions.length > 1 ? t('entry.changes.live') : '';
  }
}

/** Returns the name of a change; the pending one of somebody else is named by whose it is. */
function nameOf({ label, author_name: name }: Change): string {
  return label || t('entry.version.draftOf', { name: name ?? t('entry.otherUser') });
}

function VersionSwitch({ versions }: { versions: { value: string; label: string }[] }) {
  const { view } = useEditing();
  const navigate = useNavigate();
  const go = (change: string) => void navigate({ to: '.', search: (before: object) => ({ ...before, change }), replace: true });
  if (versions.length <= TABS) {
    return <SegmentedControl size="xs" aria-label={t('entry.version')} value={view} onChange={go} data={versions} className={classes.versions} />;
  }
  return (
    <Select size="xs" w={180} aria-label={t('entry.version')} value={view} onChange={(value) => value && go(value)} data={versions} allowDeselect={false} />
  );
}

/** The actions on the proposal that is shown. */
function BarActions({ control }: { control: Control }) {
  const { workspace, view, rights, readOnly } = useEditing();
  const { own, shown } = useProposals();
  const isDeletion = view === LIVE && own?.action === 'delete';
  const proposal = isDeletion ? own : shown;
  const named = view !== LIVE && view !== PENDING;
  if (!proposal && !named) return null;
  return (
    <Group gap="xs">
      {proposal?.action === 'update' && (
        <Button size="compact-sm" variant="default" onClick={control.showDifferences}>
          {t('entry.changes.differences')}
        </Button>
      )}
      {proposal && (!readOnly || (isPending(view) && rights.publish)) && (
        <Button size="compact-sm" variant="default" onClick={() => control.discard(isDeletion ? PENDING : view, proposal)}>
          {t(named && !isPending(view) ? 'entry.changes.takeOut' : 'entry.changes.discard')}
        </Button>
      )}
      {isDeletion && rights.remove && rights.publish && (
        <Button size="compact-sm" color="red" onClick={control.actions.trash}>
          {t('entry.changes.publishDeletion')}
        </Button>
      )}
      {/* On a phone the own draft is published at the bottom of the screen. */}
      {(view === PENDING || isPending(view)) && proposal?.action === 'update' && rights.publish && rights.update && (
        <Button size="compact-sm" onClick={control.actions.publish} {...(view === PENDING && { visibleFrom: 'sm' })}>
          {t('entry.publish')}
        </Button>
      )}
      {(named || proposal?.action === 'create') && (
        <Button size="compact-sm" variant="default" renderRoot={(props) => <Link {...props} {...changeLink(workspace, view)} />}>
          {t('changes.open')}
        </Button>
      )}
    </Group>
  );
}
