import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { refreshChanges } from '~/api/changes/queries';
import { approveChange, deleteChange, discardProposal, publishChange, revertChange, updateChange, withdrawApproval } from '~/api/changes/requests';
import { ApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import type { Change, Proposal } from '~/api/schema';
import { t } from '~/i18n';
import { confirm, showDone, showError } from '~/ui/feedback';
import { tellWhatKeeps } from '~/usages/askAboutUsages';
import { useWorkspace } from '~/workspace';
import { placeOf } from '../change';
import { ImpactSummary } from './Effects';
import { impactQuery } from './queries';

/** The actions on a change. */
export interface ChangeActions {
  /** The action that is on its way. */
  pending: string | undefined;
  /** The refusal of the last attempt to publish. */
  failure: ApiError | undefined;
  publish: () => void;
  revert: () => void;
  approve: () => void;
  withdrawApproval: () => void;
  close: () => void;
  reopen: () => void;
  remove: () => void;
  discard: (entry: Proposal, how?: 'asked') => void;
  /** Does what solves the conflicts of an entry. */
  solve: (entry: Proposal, act: () => Promise<unknown>) => void;
  /** Does what a form or a dialog asks for, and says so. */
  attempt: (what: string, act: () => Promise<unknown>, done?: string) => Promise<boolean>;
}

/** Does what is asked with a change, tells of it, and fetches anew what it changed. */
export function useChangeActions(id: string, change: Change, name: string): ChangeActions {
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const [pending, setPending] = useState<string>();
  const [failure, setFailure] = useState<ApiError>();
  const forget = (entry: Proposal) => setFailure((it) => it && withoutEntry(it, placeOf(entry)));
  const toList = () => navigate({ to: '/w/$workspace/changes', params: { workspace } });
  const open = (made: Change) =>
    navigate({ to: '/w/$workspace/changes/$change', params: { workspace, change: made.id } });

  const attempt = async (what: string, act: () => Promise<unknown>, done?: string, title = name): Promise<boolean> => {
    setPending(what);
    try {
      await act();
      if (done) showDone(done);
      return true;
    } catch (error) {
      if (what === 'publish' && error instanceof ApiError && (error.status === 409 || error.status === 422)) setFailure(error);
      else if (!tellWhatKeeps(workspace, title, error)) showError(error);
      return false;
    } finally {
      setPending(undefined);
      await refreshChanges(workspace);
    }
  };
  const revert = (of: string) =>
    void attempt('revert', async () => {
      const made = await revertChange(of);
      showDone(t('changes.done.revert'));
      await open(made);
    });
  const publish = async (at: number) => {
    const sure = await confirm({
      title: t('changes.publishTitle', { count: change.entries.length }),
      body: <ImpactSummary id={id} at={at} workspace={workspace} entries={change.entries} />,
      action: t('changes.publish'),
    });
    if (!sure) return;
    setFailure(undefined);
    await attempt('publish', async () => {
      const published = await publishChange(id);
      const said = change.pending ? t('changes.done.publishOwn', { count: change.entries.length }) : t('changes.done.publish', { name, count: change.entries.length });
      showDone(said, { label: t('changes.revert'), onClick: () => revert(published.id) });
      // The pending change has another id from now on.
      if (published.id !== id) await open(published);
    });
  };
  const close = async () => {
    const done = await attempt('close', () => updateChange(id, { closed: true }));
    if (done) showDone(t('changes.done.close', { name }), { label: t('general.undo'), onClick: () => void actions.reopen() });
  };
  const remove = async () => {
    const { pending: own, entries } = change;
    const sure = await confirm({
      title: own ? t('changes.discardAllTitle', { count: entries.length }) : t('changes.deleteTitle', { name }),
      body: t(own ? 'changes.discardAllBody' : 'changes.deleteBody', { count: entries.length }),
      action: t(own ? 'changes.discardAll' : 'general.delete'),
      danger: true,
    });
    if (!sure) return;
    const gone = await attempt('remove', () => deleteChange(id), own ? t('changes.done.discardAll') : t('changes.done.delete', { name }));
    if (gone) await toList();
  };
  const discard = async (entry: Proposal, how?: 'asked') => {
    const title = entry.title || t('general.untitled');
    const sure =
      how === 'asked' ||
      (await confirm({
        title: t('changes.discardTitle', { title }),
        body: t(`changes.discardBody.${entry.action}`),
        action: t('changes.discard'),
        danger: true,
      }));
    if (!sure) return;
    const done = await attempt(
      `discard ${placeOf(entry)}`,
      () => discardProposal(id, entry),
      t('changes.done.discard', { title }),
    );
    if (done) forget(entry);
  };
  const solve = async (entry: Proposal, act: () => Promise<unknown>) => {
    if (await attempt(`solve ${placeOf(entry)}`, act, t('changes.done.solve'), entry.title)) forget(entry);
  };
  const actions: ChangeActions = {
    pending,
    failure,
    publish: () => {
      const now = Date.now();
      void queryClient.prefetchQuery(impactQuery(workspace, id, now));
      void publish(now);
    },
    revert: () => revert(id),
    approve: () => void attempt('approve', () => approveChange(id), t('changes.done.approve')),
    withdrawApproval: () => void attempt('approve', () => withdrawApproval(id), t('changes.done.withdraw')),
    close: () => void close(),
    reopen: () => void attempt('close', () => updateChange(id, { closed: false }), t('changes.done.reopen')),
    remove: () => void remove(),
    discard: (entry, how) => void discard(entry, how),
    solve: (entry, act) => void solve(entry, act),
    attempt,
  };
  return actions;
}

/** Returns the refusal without what it says of an entry; nothing if that was all. */
function withoutEntry(error: ApiError, place: string): ApiError | undefined {
  const kept = Object.entries(error.fields).filter(([path]) => path !== place && !path.startsWith(`${place}.`));
  return kept.length === 0 ? undefined : new ApiError(error.status, { ...error.refusal, fields: Object.fromEntries(kept) });
}
