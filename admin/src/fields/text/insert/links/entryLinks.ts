/** Links to entries in the text: those whose entry is gone are marked. */
import { syntaxTree } from '@codemirror/language';
import { type Range, StateEffect } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate, WidgetType } from '@codemirror/view';
import { type EntryBrief, briefQuery } from '~/api/briefs';
import { currentWorkspace } from '~/api/client';
import { queryClient } from '~/api/query';
import { t } from '~/i18n';
import { type EntryReference, formatReference, parseReference } from './entries';

/** Tells that an entry has been looked up. */
const lookedUp = StateEffect.define<null>();

class Gone extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-entry-gone-sign';
    element.setAttribute('role', 'img');
    element.setAttribute('aria-label', t('fields.insert.entryGone'));
    element.title = t('fields.insert.entryGone');
    element.textContent = '⚠';
    return element;
  }
}

const gone = [Decoration.mark({ class: 'cm-entry-gone' }), Decoration.widget({ widget: new Gone(), side: 1 })] as const;

/** The marks of links to entries that are gone, or that this user can't see. */
export const entryLinks = [
  ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      private readonly asked = new Set<string>();

      constructor(view: EditorView) {
        this.decorations = this.build(view);
      }

      update(update: ViewUpdate) {
        const isNew = update.transactions.some((tr) => tr.effects.some((it) => it.is(lookedUp)));
        const parsed = syntaxTree(update.state) !== syntaxTree(update.startState);
        if (update.docChanged || update.viewportChanged || parsed || isNew) this.decorations = this.build(update.view);
      }

      private build(view: EditorView): DecorationSet {
        const ranges: Range<Decoration>[] = [];
        for (const { from, to, entry } of findEntryLinks(view)) {
          if (this.lookUp(view, entry) === null) ranges.push(gone[0].range(from, to), gone[1].range(to));
        }
        return Decoration.set(ranges, true);
      }

      /** Returns what is known of an entry. The first time it is asked for, together with those of other links. */
      private lookUp(view: EditorView, entry: EntryReference): EntryBrief | null | undefined {
        const query = briefQuery(currentWorkspace(), entry.type, entry.id);
        const known = queryClient.getQueryData(query.queryKey);
        const name = formatReference(entry);
        if (this.asked.has(name)) return known;
        this.asked.add(name);
        const tell = () => view.dom.isConnected && view.dispatch({ effects: lookedUp.of(null) });
        queryClient.fetchQuery(query).then(tell, () => this.asked.delete(name));
        return known;
      }
    },
    { decorations: (plugin) => plugin.decorations },
  ),
  EditorView.baseTheme({
    '.cm-entry-gone': { textDecoration: 'underline wavy var(--mantine-color-error) 1px' },
    '.cm-entry-gone-sign': { marginInlineStart: '0.2em', color: 'var(--mantine-color-error)' },
  }),
];

function findEntryLinks(view: EditorView): { from: number; to: number; entry: EntryReference }[] {
  const found: { from: number; to: number; entry: EntryReference }[] = [];
  for (const { from, to } of view.visibleRanges) {
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: ({ name, node }) => {
        const url = name === 'Link' ? node.getChild('URL') : null;
        const entry = url && parseReference(view.state.sliceDoc(url.from, url.to).replace(/^<(.*)>$/, '$1'));
        if (entry) found.push({ from: node.from, to: node.to, entry });
      },
    });
  }
  return found;
}
