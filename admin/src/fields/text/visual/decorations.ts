/** The decorations of what can be seen of the text: how its parts look, and which of its signs are hidden. */
import { syntaxTree } from '@codemirror/language';
import type { Range } from '@codemirror/state';
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';

const hidden = Decoration.replace({});
const mark = Decoration.mark({ class: 'cm-md-mark' });

/** Decorates a node of the syntax; `add` takes ranges in any order. */
type Decorate = (node: SyntaxNodeRef, view: EditorView, add: (range: Range<Decoration>) => void) => void;

const DECORATE: Readonly<Record<string, Decorate>> = {
  HeaderMark: decorateMark,
  EmphasisMark: decorateMark,
};

function decorateMark(node: SyntaxNodeRef, view: EditorView, add: (range: Range<Decoration>) => void): void {
  const parent = node.node.parent;
  const shown = parent && isTouched(view, parent.from, parent.to);
  // The space after the signs of a heading belongs to them.
  const space = node.name === 'HeaderMark' && view.state.sliceDoc(node.to, node.to + 1) === ' ' ? 1 : 0;
  add((shown ? mark : hidden).range(node.from, node.to + space));
}

/** Checks whether an end of the selection is in a part of the text, and keys would change it there. */
export function isTouched(view: EditorView, from: number, to: number): boolean {
  if (!view.hasFocus || view.state.readOnly) return false;
  return view.state.selection.ranges.some(({ anchor, head }) => [anchor, head].some((it) => it >= from && it <= to));
}

function build(view: EditorView): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  const { state } = view;
  const add = (range: Range<Decoration>) => ranges.push(range);
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(state).iterate({
      from,
      to,
      enter: (node) => {
        const size = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)?.[1];
        if (size) add(Decoration.line({ class: `cm-md-heading cm-md-heading-${size}` }).range(state.doc.lineAt(node.from).from));
        DECORATE[node.name]?.(node, view, add);
      },
    });
  }
  return Decoration.set(ranges, true);
}

export const decorations = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = build(view);
    }

    update(update: ViewUpdate) {
      const parsed = syntaxTree(update.state) !== syntaxTree(update.startState);
      if (update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged || parsed) this.decorations = build(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);
