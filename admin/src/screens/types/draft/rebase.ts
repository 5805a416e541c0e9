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
  if (mine === sent) return saved;
  return mine.map((field) => {
    const [before, now] = [withUid(sent, field.uid), withUid(saved, field.uid)];
    // The field is newer than what was sent.
    if (!before || !now) return field;
    if (field === before) return now;
    const blocks = rebasedBlocks(field.blocks, before.blocks, now.blocks);
    return { ...field, saved: now.saved, fields: rebasedFields(field.fields, before.fields, now.fields), blocks };
  });
}

function rebasedBlocks(mine: readonly DraftBlock[], sent: readonly DraftBlock[], saved: readonly DraftBlock[]): readonly DraftBlock[] {
  if (mine === sent) return saved;
  return mine.map((block) => {
    const [before, now] = [withUid(sent, block.uid), withUid(saved, block.uid)];
    if (!before || !now) return block;
    if (block === before) return now;
    return { ...block, saved: now.saved, fields: rebasedFields(block.fields, before.fields, now.fields) };
  });
}

function withUid<T extends { readonly uid: string }>(nodes: readonly T[], uid: string): T | undefined {
  return nodes.find((it) => it.uid === uid);
}
