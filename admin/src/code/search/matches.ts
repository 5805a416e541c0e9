import type { SearchQuery } from '@codemirror/search';
import type { EditorState } from '@codemirror/state';

/** The number of matches, and which of them is selected (from 1; 0 if none). */
export interface Matches {
  count: number;
  current: number;
  /** True if there are more than were counted. */
  more: boolean;
}

const COUNTED = 999;

/** Counts the matches of a search; stops where nobody counts any more. */
export function countMatches(state: EditorState, query: SearchQuery): Matches {
  const found: Matches = { count: 0, current: 0, more: false };
  if (!query.valid) return found;
  const { from, to } = state.selection.main;
  const cursor = query.getCursor(state);
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    if (found.count === COUNTED) return { ...found, more: true };
    found.count += 1;
    if (next.value.from === from && next.value.to === to) found.current = found.count;
  }
  return found;
}
