/** The direction of lines: each is written from the side that its first letter asks for. */
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** The letters that are written from right to left, as those of Arabic and Hebrew. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const AUTO = Decoration.line({ attributes: { dir: 'auto' } });

const lines = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = directed(view);
    }

    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = directed(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

/** Lines with such letters find their direction by themselves; all others are left as they are. */
function directed(view: EditorView): DecorationSet {
  const found = new RangeSetBuilder<Decoration>();
  for (const { from, to } of view.visibleRanges) {
    for (let line = view.state.doc.lineAt(from); ; line = view.state.doc.lineAt(line.to + 1)) {
      if (RIGHT_TO_LEFT.test(line.text)) found.add(line.from, line.from, AUTO);
      if (line.to >= to) break;
    }
  }
  return found.finish();
}

/** The direction of each line, which the caret follows. */
export const lineDirections: Extension = [EditorView.perLineTextDirection.of(true), lines];
