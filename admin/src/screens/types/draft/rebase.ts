import type { DraftBlock, DraftField, TypeDraft } from './draft';

/**
 * A draft that somebody went on changing while it was saved, on top of what the server has now:
 * what is as it was sent comes from the server, everything else stays. `saved` has the identities
 * of `sent`.
 */
export function rebased(mine: TypeDraft, sent: TypeDraft, saved: TypeDraft): TypeDraft {
  if (mine === sent) return saved;
  const changed = Object.entries(mine).filter(([key, value]) => value !== sent[key as keyof TypeDraft]);
  return { ...saved, ...Object.fromEntries(changed), fields: rebasedFields(mine.fields, sent.fields, saved.fields) };
}

function rebasedFields(mine: readonly DraftField[], sent: readonly DraftField[], saved: readonly DraftField[]): readonly DraftField[] {
  return rebasedNodes(mine, sent, saved, (field, before, now) => ({
    ...rebasedInside(field, before, now),
    blocks: rebasedNodes(field.blocks, before.blocks, now.blocks, rebasedInside),
  }));
}

/** Rebases nodes, each that was changed with a function. Those that are newer than what was sent stay as they are. */
function rebasedNodes<T extends { readonly uid: string }>(
  mine: readonly T[],
  sent: readonly T[],
  saved: readonly T[],
  rebase: (mine: T, sent: T, saved: T) => T,
): readonly T[] {
  if (mine === sent) return saved;
  return mine.map((node) => {
    const [before, now] = [sent, saved].map((nodes) => nodes.find((it) => it.uid === node.uid));
    if (!before || !now) return node;
    return node === before ? now : rebase(node, before, now);
  });
}

function rebasedInside<T extends DraftField | DraftBlock>(mine: T, sent: T, saved: T): T {
  return { ...mine, saved: saved.saved, fields: rebasedFields(mine.fields, sent.fields, saved.fields) };
}
