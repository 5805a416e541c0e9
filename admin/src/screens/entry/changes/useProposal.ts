import { useQuery } from '@tanstack/react-query';
import { briefQuery } from '~/api/briefs';
import { findProposal, PENDING } from '~/api/changes/change';
import { activeChangesQuery, usePendingChange } from '~/api/changes/queries';
import type { Change, Proposal } from '~/api/schema';
import { type Editing, useEditing } from '../context';
import { LIVE } from '../view';

interface Proposals {
  /** The own draft beside what is live. */
  own: Proposal | undefined;
  /** The other changes with a proposal for the entry, and the one that is shown. */
  named: readonly Change[];
  /** The proposal that is shown. */
  shown: Proposal | undefined;
  /** False while they are on their way. */
  isKnown: boolean;
}

type Place = Pick<Editing, 'workspace' | 'type' | 'id' | 'view'>;

/** Returns what the changes that are worked on propose for the edited entry. */
export function useProposals(): Proposals {
  return useProposalsFor(useEditing());
}

/**
 * Checks whether an entry was deleted that the version that is shown changes; nothing until it is known. Only
 * a proposal in trouble is looked into.
 */
export function useLiveIsGone(place: Place): boolean | undefined {
  const { shown, isKnown } = useProposalsFor(place);
  const suspect = shown?.action === 'update' && shown.problem ? shown.id : '';
  const { data, isError } = useQuery(briefQuery(place.workspace, place.type.name, suspect));
  if (place.view === LIVE || isError) return false;
  if (suspect === '') return isKnown ? false : undefined;
  return data === undefined ? undefined : data === null;
}

function useProposalsFor({ workspace, type, id, view }: Place): Proposals {
  const needed = type.drafts === true || view !== LIVE;
  const pending = usePendingChange(workspace, needed);
  const { data: active = [], isPending } = useQuery({ ...activeChangesQuery(workspace), enabled: needed });
  const find = (change: Change | null | undefined) => (id === undefined ? undefined : findProposal(change, type, id));
  const named = active.filter((it) => it.id !== pending?.id && (it.id === view || find(it)));
  const own = find(pending);
  const isKnown = !needed || (pending !== undefined && !isPending);
  return { own, named, isKnown, shown: view === PENDING ? own : find(named.find((it) => it.id === view)) };
}
