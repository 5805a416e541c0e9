import { useQuery } from '@tanstack/react-query';
import { findProposal, PENDING } from '~/api/changes/change';
import { activeChangesQuery, usePendingChange } from '~/api/changes/queries';
import type { Change, Proposal } from '~/api/schema';
import { useEditing } from '../context';
import { LIVE } from '../view';

interface Proposals {
  /** The own draft beside what is live. */
  own: Proposal | undefined;
  /** The other changes with a proposal for the entry, and the one that is shown. */
  named: readonly Change[];
  /** The proposal that is shown. */
  shown: Proposal | undefined;
}

/** Returns what the changes that are worked on propose for the edited entry. */
export function useProposals(): Proposals {
  const { workspace, type, id, view } = useEditing();
  const needed = type.drafts === true || view !== LIVE;
  const pending = usePendingChange(workspace, needed);
  const active = useQuery({ ...activeChangesQuery(workspace), enabled: needed }).data ?? [];
  const find = (change: Change | null | undefined) => (id === undefined ? undefined : findProposal(change, type, id));
  const named = active.filter((it) => it.id !== pending?.id && (it.id === view || find(it)));
  const own = find(pending);
  return { own, named, shown: view === PENDING ? own : find(named.find((it) => it.id === view)) };
}
