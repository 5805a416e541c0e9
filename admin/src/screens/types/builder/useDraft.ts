import { useEffect, useMemo, useRef, useState } from 'react';
import { changesOf, type TypeDraft, withIdentities } from '../draft/draft';
import { rebased } from '../draft/rebase';
import { isSameType, type Loaded } from '../draft/type-query';

/** A draft beside what the server has. What changes there is taken over while nothing was changed here. */
export function useDraft(start: TypeDraft, loaded: Loaded | undefined, begun = start) {
  const [base, setBase] = useState({ draft: start, etag: loaded?.etag ?? '' });
  const [draft, setDraft] = useState(begun);
  const changes = useMemo(() => changesOf(base.draft, draft), [base, draft]);
  const dirty = Object.keys(changes).length > 0 || draft.name !== base.draft.name;
  const newer = loaded !== undefined && loaded.etag !== base.etag && !isSameType(loaded.draft, base.draft);

  /** Makes a state of the server the one that changes are told against, and returns its draft. */
  const setSaved = (state: Loaded) => {
    const next = withIdentities(state.draft, draft);
    setBase({ draft: next, etag: state.etag });
    return next;
  };
  /** Takes a state of the server over. What was changed here is gone. */
  const take = (state: Loaded) => setDraft(setSaved(state));
  /** Takes over what the server made of this draft. What was changed since stays. */
  const settle = (state: Loaded) => {
    const next = setSaved(state);
    setDraft((mine) => rebased(mine, draft, next));
  };
  const latest = useRef(draft);
  useEffect(() => {
    latest.current = draft;
  });
  /** Returns what another builder goes on with after this draft of a new type was created: its name stays. */
  const goOn = (state: Loaded): TypeDraft => ({ ...rebased(latest.current, draft, state.draft), name: state.draft.name, nameTouched: true });
  if (newer && !dirty) take(loaded);
  return { draft, setDraft, saved: base.draft, etag: base.etag, changes, dirty, newer: newer && dirty, take, settle, goOn };
}
