/** The change of a text, word by word. */
import { diffWordsWithSpace } from 'diff';

export type PartKind = 'same' | 'added' | 'removed';

export interface Part {
  kind: PartKind;
  text: string;
}

/** Texts that differ in more than can be found in this time are shown as replaced. */
export const TIME_MAX = 400;

/** The parts of both texts in reading order. */
export function diffText(before: string, after: string): Part[] {
  if (before === after) return before === '' ? [] : [{ kind: 'same', text: before }];
  const changes = diffWordsWithSpace(before, after, { timeout: TIME_MAX });
  if (!changes) return replaced(before, after);
  const parts = changes.map(({ added, removed, value }): Part => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text: value }));
  return similarityOf(parts) < 0.3 ? replaced(before, after) : parts;
}

/** Returns the share of the longer text that is in both: 0 to 1. Below a third, words that stayed only confuse. */
export function similarityOf(parts: readonly Part[]): number {
  const letters = (...kinds: readonly PartKind[]) =>
    parts.filter((it) => kinds.includes(it.kind)).reduce((sum, { text }) => sum + text.replaceAll(/\s/g, '').length, 0);
  const longer = Math.max(letters('same', 'removed'), letters('same', 'added'));
  return longer === 0 ? 1 : letters('same') / longer;
}

function replaced(before: string, after: string): Part[] {
  const parts: Part[] = [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
  return parts.filter((it) => it.text !== '');
}
