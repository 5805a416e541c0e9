/** Shows embeds as cards, unless the caret is in them. Nothing of other sites is loaded. */
import { syntaxTree } from '@codemirror/language';
import type { Range } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { ReactWidget } from '../../portals';
import { EmbedCard } from './EmbedCard';
import { type Embed, readEmbed } from './embeds';

class EmbedWidget extends ReactWidget {
  constructor(private readonly embed: Embed) {
    super();
  }

  override eq({ embed }: EmbedWidget): boolean {
    return embed.address === this.embed.address;
  }

  protected render(view: EditorView, element: HTMLElement) {
    return <EmbedCard embed={this.embed} onEdit={() => edit(view, element)} />;
  }
}

/** Puts the caret into the address, which shows it again. */
function edit(view: EditorView, element: HTMLElement): void {
  const line = view.state.doc.lineAt(view.posAtDOM(element));
  view.dispatch({ selection: { anchor: line.to } });
  view.focus();
}

function build(view: EditorView): DecorationSet {
  const ranges: Range<Decoration>[] = [];
  const { doc, selection, readOnly } = view.state;
  const isTouched = (from: number, to: number) => view.hasFocus && !readOnly && selection.ranges.some((it) => it.from <= to && it.to >= from);
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, node }) => {
        if (name !== 'Paragraph') return name === 'Document';
        const embed = doc.lineAt(node.from).to < node.to ? undefined : readEmbed(doc.sliceString(node.from, node.to));
        if (embed && !isTouched(node.from, node.to)) ranges.push(Decoration.replace({ widget: new EmbedWidget(embed) }).range(node.from, node.to));
        return false;
      },
    });
  }
  return Decoration.set(ranges);
}

/** The cards of a text. */
export const embedCards = ViewPlugin.fromClass(
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
