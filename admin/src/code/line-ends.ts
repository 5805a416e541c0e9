/**
 * The line ends of a text as its file has them. The editor knows line feeds only; a text with others
 * keeps them in every line that nobody touches, and new lines end as most do.
 */
import { invertedEffects } from '@codemirror/commands';
import { type EditorState, type Extension, type Range, RangeSet, RangeValue, StateEffect, StateField, type Transaction } from '@codemirror/state';

type End = '\n' | '\r\n' | '\r';

/** A line end that is no line feed; it stands where the editor has one. */
class LineEnd extends RangeValue {
  override startSide = 1;
  override endSide = -1;

  constructor(readonly end: End) {
    super();
  }

  override eq(other: RangeValue): boolean {
    return other instanceof LineEnd && other.end === this.end;
  }
}

interface LineEnds {
  readonly others: RangeSet<LineEnd>;
  readonly usual: End;
}

/** Sets the line ends to those of a text that comes from elsewhere. */
const setLineEnds = StateEffect.define<LineEnds>();

/** Brings back line ends that were deleted, when the deletion is undone. */
const restoreLineEnds = StateEffect.define<readonly Range<LineEnd>[]>({
  map: (ranges, changes) => ranges.map((it) => it.value.range(changes.mapPos(it.from, 1), changes.mapPos(it.to, -1))).filter((it) => it.from < it.to),
});

const field = StateField.define<LineEnds>({
  create: () => ({ others: RangeSet.empty, usual: '\n' }),
  update: (ends, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setLineEnds)) return effect.value;
    const restored = transaction.effects.flatMap((it) => (it.is(restoreLineEnds) ? it.value : []));
    if (!transaction.docChanged && restored.length === 0) return ends;
    if (ends.others.size === 0 && ends.usual === '\n' && restored.length === 0) return ends;
    const added = isReplayed(transaction) ? restored : newLineEnds(transaction, ends.usual);
    // Mapping alone would keep those that are replaced by something else.
    const deleted = new Set(deletedLineEnds(transaction).map((it) => it.from));
    const kept = ends.others.update({ filter: (from) => !deleted.has(from) });
    return { ...ends, others: kept.map(transaction.changes).update({ add: added, sort: true }) };
  },
});

function isReplayed(transaction: Transaction): boolean {
  return transaction.isUserEvent('undo') || transaction.isUserEvent('redo');
}

/** Returns the ends of the lines that a change puts in. */
function newLineEnds({ changes }: Transaction, usual: End): Range<LineEnd>[] {
  if (usual === '\n') return [];
  const found: Range<LineEnd>[] = [];
  changes.iterChanges((_from, _to, at, _end, inserted) => {
    for (let line = 1, place = at; line < inserted.lines; line += 1) {
      place += inserted.line(line).length;
      found.push(new LineEnd(usual).range(place, place + 1));
      place += 1;
    }
  });
  return found;
}

function deletedLineEnds({ changes, startState }: Transaction): Range<LineEnd>[] {
  const { others } = startState.field(field);
  const found: Range<LineEnd>[] = [];
  if (others.size === 0) return found;
  changes.iterChangedRanges((from, to) => {
    others.between(from, to, (start, end, value) => {
      if (start >= from && end <= to) found.push(value.range(start, end));
    });
  });
  return found;
}

/** The extension that keeps the line ends of a text. */
export function keepLineEnds(text: string): Extension {
  return [
    field.init(() => readLineEnds(text)),
    invertedEffects.of((transaction) => {
      const deleted = transaction.docChanged ? deletedLineEnds(transaction) : [];
      return deleted.length > 0 ? [restoreLineEnds.of(deleted)] : [];
    }),
  ];
}

/** The effect that takes over the line ends of a text. */
export function takeLineEnds(text: string): StateEffect<unknown> {
  return setLineEnds.of(readLineEnds(text));
}

function readLineEnds(text: string): LineEnds {
  if (!text.includes('\r')) return { others: RangeSet.empty, usual: '\n' };
  const found: Range<LineEnd>[] = [];
  const counts: Record<End, number> = { '\n': 0, '\r\n': 0, '\r': 0 };
  let shorter = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
    counts[end as End] += 1;
    if (end !== '\n') found.push(new LineEnd(end as End).range(index - shorter, index - shorter + 1));
    shorter += end.length - 1;
  }
  const usual = (['\n', '\r\n', '\r'] as const).reduce((most, it) => (counts[it] > counts[most] ? it : most));
  return { others: RangeSet.of(found), usual };
}

/** Returns the text of an editor with the line ends of its file. */
export function textOf(state: EditorState): string {
  const { doc } = state;
  const others = state.field(field, false)?.others ?? RangeSet.empty;
  const parts: string[] = [];
  let place = 0;
  for (const cursor = others.iter(); cursor.value; cursor.next()) {
    parts.push(doc.sliceString(place, cursor.from), (cursor.value as LineEnd).end);
    place = cursor.to;
  }
  return parts.length === 0 ? doc.toString() : parts.join('') + doc.sliceString(place);
}
