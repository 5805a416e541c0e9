/** The difference of two versions of a table as changes of the text: lines that are equal are not touched. */
import type { ChangeSpec } from '@codemirror/state';
import { findDifference } from '~/code/difference';

/** Returns the changes that make one text of another that begins at `from`. */
export function lineChanges(from: number, before: string, after: string): ChangeSpec[] {
  const [old, next] = [before.split('\n'), after.split('\n')];
  if (old.length !== next.length) {
    const change = findDifference(before, after);
    return change ? [{ from: from + change.from, to: from + change.to, insert: change.insert }] : [];
  }
  const changes: ChangeSpec[] = [];
  let start = from;
  for (const [index, line] of old.entries()) {
    const change = findDifference(line, next[index] ?? '');
    if (change) changes.push({ from: start + change.from, to: start + change.to, insert: change.insert });
    start += line.length + 1;
  }
  return changes;
}
