/** Keeps a table a table, and aligned, when the text in or around it is edited. */
import { ChangeSet, type ChangeSpec, type Text, type Transaction, type TransactionSpec } from '@codemirror/state';
import { lineChanges } from './changes';
import { cellAt, formatTable, parseTable } from './format';
import type { TablePlace } from './tables';
import { selectionIn } from './write';

/** A line that begins another block ends a table by itself. */
const BLOCK = /^ {0,3}(#{1,6}\s|>|[-*+]\s|\d{1,9}[.)]\s|```|~~~|<)/;

/** The change that puts one table in order again. */
interface Repair {
  /** The place where the table begins. */
  from: number;
  changes: ChangeSpec[];
  /** The selection for a table that begins at a place; nothing where it stays as it is. */
  select?: (start: number) => { anchor: number; head: number };
}

/** Returns what has to follow an edit, so that tables stay aligned and the text beside them becomes no row. */
export function repairTables(tables: readonly TablePlace[], tr: Transaction): TransactionSpec | undefined {
  const repairs = tables.flatMap((it) => repairTable(it, tr) ?? []);
  if (repairs.length === 0) return undefined;
  // One change for all: the places of each are those before any other.
  const changes = ChangeSet.of(repairs.flatMap((it) => it.changes), tr.newDoc.length);
  const chosen = repairs.find((it) => it.select);
  return { changes, selection: chosen?.select?.(changes.mapPos(chosen.from, -1)), sequential: true };
}

function repairTable({ from: start, to: end, text: before }: TablePlace, tr: Transaction): Repair | undefined {
  const { newDoc: doc, changes } = tr;
  const [from, to] = [changes.mapPos(start, 1), changes.mapPos(end, -1)];
  if (from >= to) return undefined;
  const old = tr.startState.doc;
  const [lead, trail] = [gapBefore(old, start, doc, from), gapAfter(old, end, doc, to)];
  const text = doc.sliceString(from, to);
  const table = text === before ? undefined : parseTable(text);
  const next = table ? formatTable(table) : text;
  if (next === text && lead === '' && trail === '') return undefined;
  const gaps = [lead && { from, insert: lead }, trail && { from: to, insert: trail }].filter((it) => it !== '');
  const { anchor, head } = tr.newSelection.main;
  const inside = next !== text && Math.min(anchor, head) >= from && Math.max(anchor, head) <= to;
  const [cell, at] = [cellAt(text, head - from), cellAt(text, anchor - from)];
  const selection = { ...cell, anchor: at.row === cell.row && at.column === cell.column ? at.offset : cell.offset, head: cell.offset };
  return {
    from,
    changes: [...gaps, ...lineChanges(from, text, next)],
    ...(inside && { select: (place: number) => selectionIn(place + lead.length, next, selection) }),
  };
}

function gapAfter(old: Text, oldEnd: number, doc: Text, end: number): string {
  if (doc.lineAt(end).to !== end) return '\n\n';
  const line = lineFrom(doc, end + 1);
  return line.trim() === '' || BLOCK.test(line) || line === lineFrom(old, oldEnd + 1) ? '' : '\n';
}

function gapBefore(old: Text, oldStart: number, doc: Text, start: number): string {
  if (doc.lineAt(start).from !== start) return '\n\n';
  const [line, before] = [lineTo(doc, start - 1), lineTo(old, oldStart - 1)];
  return line.trim() === '' || line === before || (before.trim() !== '' && !line.includes('|')) ? '' : '\n';
}

function lineFrom(doc: Text, place: number): string {
  return place > doc.length ? '' : doc.lineAt(place).text;
}

function lineTo(doc: Text, place: number): string {
  return place < 0 ? '' : doc.lineAt(place).text;
}
