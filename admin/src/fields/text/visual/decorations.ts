/** The decorations of what can be seen of the text: how its parts look, and which of its signs are hidden. */
import { syntaxTree } from '@codemirror/language';
import { type EditorState, RangeSet, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { BLOCKS } from './blocks';
import { frontMatterEnd } from './front-matter';
import { INLINE } from './inline';
import { paintPrefix } from './lines';
import { Painter, type Touches } from './painter';

interface Painted {
  decorations: DecorationSet;
  /** The parts that the caret steps over. */
  fixed: RangeSet<Decoration>;
}

/** Decorates parts of a text; the signs of what is touched stay visible. */
export function paint(state: EditorState, seen: readonly { from: number; to: number }[], touches: Touches): Painted {
  const painter = new Painter(state, touches);
  const front = frontMatterEnd(state.doc);
  for (const { from, to } of seen) {
    if (from < front) painter.linesOf(0, front, { from, to }, () => 'cm-md-code cm-md-front');
    for (let place = Math.max(from, front); place <= to; ) {
      const line = state.doc.lineAt(place);
      if (place > front || front === 0) paintPrefix(painter, line);
      place = line.to + 1;
    }
    syntaxTree(state).iterate({
      from,
      to,
      enter: (node) => {
        if (node.from < front && node.name !== 'Document') return node.to > front;
        BLOCKS[node.name]?.(painter, node, { from, to });
        INLINE[node.name]?.(painter, node);
        return true;
      },
    });
  }
  return painter.finish();
}

/** Asks for the decorations to be made again. */
const repaint = StateEffect.define<null>();

/** Milliseconds after a click in which a second one makes it a double click: until then nothing moves. */
const DOUBLE_CLICK = 220;

class Decorator implements Painted {
  decorations: DecorationSet = Decoration.none;
  fixed: RangeSet<Decoration> = RangeSet.empty;
  private pressed = false;
  private ends: readonly number[] = [];

  constructor(view: EditorView) {
    this.paint(view);
  }

  update(update: ViewUpdate) {
    const { view, state, startState, transactions } = update;
    const asked = transactions.some((it) => it.effects.some((effect) => effect.is(repaint)));
    if (update.docChanged || asked) this.pressed = false;
    // What is being composed must stay in its place, and what the mouse points at as well.
    if (view.composing && update.docChanged) {
      this.decorations = this.decorations.map(update.changes);
      this.fixed = this.fixed.map(update.changes);
      return;
    }
    const parsed = syntaxTree(state) !== syntaxTree(startState);
    if (update.docChanged || update.viewportChanged || update.selectionSet || update.focusChanged || parsed || asked || state.readOnly !== startState.readOnly) {
      this.paint(view);
    }
  }

  private paint(view: EditorView) {
    if (!this.pressed) this.ends = ends(view);
    const touches: Touches = (from, to) => this.ends.some((it) => it >= from && it <= to);
    Object.assign(this, paint(view.state, view.visibleRanges, touches));
  }

  /** Keys end a press at once, also one whose end was not told, as that of a menu. */
  release(view: EditorView) {
    if (this.pressed) view.dispatch({ effects: repaint.of(null) });
  }

  press(view: EditorView) {
    this.pressed = true;
    const release = () => setTimeout(() => this.pressed && view.dispatch({ effects: repaint.of(null) }), DOUBLE_CLICK);
    view.dom.ownerDocument.addEventListener('mouseup', release, { once: true });
  }
}

/** The ends of the selection; none where keys would change nothing. */
function ends({ hasFocus, state }: EditorView): number[] {
  return hasFocus && !state.readOnly ? state.selection.ranges.flatMap(({ anchor, head }) => [anchor, head]) : [];
}

export const decorations = ViewPlugin.fromClass(Decorator, {
  decorations: (it) => it.decorations,
  provide: (plugin) => EditorView.atomicRanges.of((view) => view.plugin(plugin)?.fixed ?? RangeSet.empty),
  eventHandlers: {
    mousedown(_event, view) {
      this.press(view);
    },
    keydown(_event, view) {
      this.release(view);
    },
    compositionend(_event, view) {
      setTimeout(() => view.dispatch({ effects: repaint.of(null) }));
    },
  },
});
