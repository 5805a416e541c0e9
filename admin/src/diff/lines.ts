/** The change of a text of many lines. */
import { diffLines as linesOf } from 'diff';
import { diffText, type Part, type PartKind, TIME_MAX } from './text';

export interface Line {
  kind: PartKind;
  /** Its number before and after, from 1. */
  was?: number;
  is?: number;
  /** The changed parts of the line, for one that has a counterpart. */
  parts: readonly Part[];
}

/** Lines that did not change, far from any that did. */
export interface Gap {
  kind: 'gap';
  lines: readonly Line[];
}

/** All lines of both texts, in reading order; what was removed comes before what was added. */
export function diffLines(before: string, after: string): Line[] {
  const changes = linesOf(ended(before), ended(after), { timeout: TIME_MAX }) ?? [
    { removed: true, added: false, value: ended(before) },
    { removed: false, added: true, value: ended(after) },
  ];
  const lines: Line[] = [];
  let was = 0;
  let is = 0;
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at];
    const next = changes[at + 1];
    if (!change) continue;
    if (change.removed && next?.added) {
      const [removed, added] = pairUp(split(change.value), split(next.value));
      for (const parts of removed) lines.push({ kind: 'removed', was: (was += 1), parts });
      for (const parts of added) lines.push({ kind: 'added', is: (is += 1), parts });
      at += 1;
      continue;
    }
    for (const text of split(change.value)) {
      const parts = [{ kind: 'same' as const, text }];
      if (change.removed) lines.push({ kind: 'removed', was: (was += 1), parts });
      else if (change.added) lines.push({ kind: 'added', is: (is += 1), parts });
      else lines.push({ kind: 'same', was: (was += 1), is: (is += 1), parts });
    }
  }
  return lines;
}

/** Folds what did not change, but for some lines around what did. */
export function foldUnchanged(lines: readonly Line[], around = 3): (Line | Gap)[] {
  const near = lines.map((_, at) => lines.slice(Math.max(0, at - around), at + around + 1).some((it) => it.kind !== 'same'));
  const folded: (Line | Gap)[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at];
    if (!line) continue;
    let end = at;
    while (end < lines.length && !near[end]) end += 1;
    // Two lines are no longer than the note that they were left out.
    if (end - at > 2) {
      folded.push({ kind: 'gap', lines: lines.slice(at, end) });
      at = end - 1;
    } else {
      folded.push(line);
    }
  }
  return folded;
}

/** Counts the lines that were added and removed. */
export function countLines(lines: readonly Line[]): { added: number; removed: number } {
  const of = (kind: PartKind) => lines.filter((it) => it.kind === kind).length;
  return { added: of('added'), removed: of('removed') };
}

/** A last line without an end is the same as one that has it. */
function ended(text: string): string {
  const unix = text.replaceAll('\r\n', '\n');
  return unix === '' || unix.endsWith('\n') ? unix : `${unix}\n`;
}

function split(block: string): string[] {
  return block.replace(/\n$/, '').split('\n');
}

/** The words that changed in lines that stand opposite each other. */
function pairUp(removed: readonly string[], added: readonly string[]): [Part[][], Part[][]] {
  const old: Part[][] = [];
  const fresh: Part[][] = [];
  for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
    const [was, is] = [removed[at], added[at]];
    const parts = was !== undefined && is !== undefined ? diffText(was, is) : [];
    const alike = parts.some((it) => it.kind === 'same');
    if (was !== undefined) old.push(alike ? parts.filter((it) => it.kind !== 'added') : [{ kind: 'same', text: was }]);
    if (is !== undefined) fresh.push(alike ? parts.filter((it) => it.kind !== 'removed') : [{ kind: 'same', text: is }]);
  }
  return [old, fresh];
}
