import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { findProposal, PENDING } from '~/api/changes/change';
import { pendingQuery } from '~/api/changes/queries';
import type { ContentTypeShape } from '~/api/fields';
import { LIVE } from './view';

interface ShownView {
  /** {@link LIVE}, or the change whose version is edited; nothing until it is known. */
  view: string | undefined;
  /** Another number whenever another version is opened, so that the form begins anew. */
  turn: number;
  /** Goes on in another version with what is in the form. */
  move: (view: string) => void;
}

interface Opened {
  id: string | undefined;
  asked: string | undefined;
  view: string;
  turn: number;
}

/**
 * The version of an entry that is edited: the one in the address, else the own draft beside what is
 * live, else what is live. It stays while the entry is open. `goesOn` is true if the form of a new
 * entry goes on under this id.
 */
export function useView(workspace: string, type: ContentTypeShape, id: string | undefined, goesOn: boolean): ShownView {
  const navigate = useNavigate();
  const { change: asked } = useSearch({ strict: false }) as { change?: string };
  const pending = useQuery({ ...pendingQuery(workspace), enabled: type.drafts === true });
  const [opened, setOpened] = useState<Opened>();
  const isKnown = asked !== undefined || !type.drafts || id === undefined || !pending.isPending;
  let now = opened;
  if (isKnown && (!opened || opened.id !== id || opened.asked !== asked)) {
    const proposal = id === undefined || !type.drafts ? undefined : findProposal(pending.data, type, id);
    const view = asked ?? (proposal && proposal.action !== 'delete' ? PENDING : LIVE);
    const isSame = opened?.view === view && (opened.id === id || goesOn);
    now = { id, asked, view, turn: opened && isSame ? opened.turn : (opened?.turn ?? 0) + 1 };
    setOpened(now);
  }
  const move = (view: string) => {
    if (!now || now.view === view) return;
    setOpened({ ...now, view });
    if (asked === undefined) return;
    void navigate({ to: '.', search: (before: object) => ({ ...before, change: undefined }), replace: true, ignoreBlocker: true, resetScroll: false });
  };
  return { view: now?.view, turn: now?.turn ?? 0, move };
}
