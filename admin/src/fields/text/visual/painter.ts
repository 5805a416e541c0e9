/** The collector of decorations: it takes them in any order, and lines in parts. */
import { type EditorState, type Range, RangeSet } from '@codemirror/state';
import { Decoration, type DecorationSet, type WidgetType } from '@codemirror/view';

const HIDDEN = Decoration.replace({});
const SIGN = Decoration.mark({ class: 'cm-md-sign' });

/** Checks whether the caret, or an end of the selection, is in a part of the text. */
export type Touches = (from: number, to: number) => boolean;

export class Painter {
  private readonly ranges: Range<Decoration>[] = [];
  private readonly fixed: Range<Decoration>[] = [];
  private readonly lines = new Map<number, { classes: Set<string>; style: string }>();

  constructor(
    readonly state: EditorState,
    readonly touches: Touches,
  ) {}

  mark(from: number, to: number, name: string, attributes?: Record<string, string>): void {
    if (from < to) this.ranges.push(Decoration.mark({ class: name, ...(attributes && { attributes }) }).range(from, to));
  }

  /** Signs of formatting: faint where the caret is, or else hidden. */
  sign(from: number, to: number, shown: boolean): void {
    if (from >= to) return;
    if (shown) this.ranges.push(SIGN.range(from, to));
    else this.hide(from, to);
  }

  /** Line ends stay, since lines are what the editor draws. */
  hide(from: number, to: number): void {
    const { doc } = this.state;
    for (let start = from; start < to; ) {
      const line = doc.lineAt(start);
      const end = Math.min(to, line.to);
      if (start < end) this.ranges.push(HIDDEN.range(start, end));
      start = line.to + 1;
    }
  }

  /** A widget in place of a part of one line; the caret steps over it. */
  replace(from: number, to: number, widget: WidgetType): void {
    const range = Decoration.replace({ widget }).range(from, to);
    this.ranges.push(range);
    this.fixed.push(range);
  }

  /** A part of the text that the caret steps over. */
  fix(from: number, to: number): void {
    if (from < to) this.fixed.push(HIDDEN.range(from, to));
  }

  line(from: number, names: string, style = ''): void {
    const line = this.lines.get(from) ?? { classes: new Set(), style: '' };
    for (const name of names.split(' ')) line.classes.add(name);
    line.style += style;
    this.lines.set(from, line);
  }

  /** All lines of a part of the text that can be seen. */
  linesOf(from: number, to: number, seen: { from: number; to: number }, names: (first: boolean, last: boolean) => string): void {
    const { doc } = this.state;
    const last = doc.lineAt(Math.min(to, seen.to)).number;
    for (let number = doc.lineAt(Math.max(from, seen.from)).number; number <= last; number += 1) {
      const line = doc.line(number);
      this.line(line.from, names(line.from <= from, line.to >= to));
    }
  }

  finish(): { decorations: DecorationSet; fixed: RangeSet<Decoration> } {
    for (const [from, { classes, style }] of this.lines) {
      const attributes = { class: [...classes].join(' '), ...(style && { style }) };
      this.ranges.push(Decoration.line({ attributes }).range(from));
    }
    return { decorations: Decoration.set(this.ranges, true), fixed: RangeSet.of(this.fixed, true) };
  }
}
