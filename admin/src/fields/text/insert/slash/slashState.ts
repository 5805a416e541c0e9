/** The menu that `/` opens: where it is, what was typed after it, and what that leaves to choose from. */
import { type EditorState, StateEffect, StateField, type Transaction } from '@codemirror/state';
import { t } from '~/i18n';
import { matchItems } from '~/ui/match';
import { type Insertion, INSERTIONS } from '../catalogue';
import { writtenByGrid } from '../../table/write';
import { isLiteral } from '../place';

/** An open menu. */
export interface Slash {
  /** The place of the slash. */
  from: number;
  /** The words after it. */
  query: string;
  /** The place of the item that Enter takes. */
  active: number;
  items: readonly Insertion[];
}

const QUERY_MAX = 30;

export const chooseItem = StateEffect.define<number>();
export const closeSlash = StateEffect.define<null>();

export const slashField = StateField.define<Slash | null>({
  create: () => null,
  update(slash, tr) {
    let next = slash ? follow(slash, tr) : opened(tr);
    for (const effect of tr.effects) {
      if (effect.is(closeSlash)) next = null;
      if (effect.is(chooseItem) && next) next = { ...next, active: effect.value };
    }
    return next;
  },
});

/** Opens at a slash that is typed at the start of a line or after a space. */
function opened(tr: Transaction): Slash | null {
  const { state } = tr;
  const { main, ranges } = state.selection;
  // While an input method composes, a slash may yet become another sign.
  if (!tr.docChanged || !tr.isUserEvent('input.type') || tr.isUserEvent('input.type.compose') || ranges.length > 1 || !main.empty || state.readOnly) return null;
  // In a cell, which has the keyboard then, a slash is a slash.
  if (tr.annotation(writtenByGrid)) return null;
  const from = main.head - 1;
  const [before, sign] = [state.sliceDoc(from - 1, from), state.sliceDoc(from, main.head)];
  if (sign !== '/' || (before !== '' && !/\s/.test(before)) || isLiteral(state, from)) return null;
  return { from, query: '', active: 0, items: findInsertions('') };
}

/** Goes on while the caret is in the words after the slash. */
function follow(slash: Slash, tr: Transaction): Slash | null {
  if (!tr.docChanged && !tr.selection) return slash;
  const from = tr.changes.mapPos(slash.from, -1);
  const query = queryAt(tr.state, from);
  if (query === undefined) return null;
  if (query === slash.query) return { ...slash, from };
  const items = findInsertions(query);
  // Whoever goes on writing after words that name nothing means the slash itself.
  if (items.length === 0 && (query.includes(' ') || slash.items.length === 0)) return null;
  return { from, query, active: 0, items };
}

function queryAt({ doc, selection }: EditorState, from: number): string | undefined {
  const { main } = selection;
  if (!main.empty || main.head <= from || doc.lineAt(from).to < main.head || doc.sliceString(from, from + 1) !== '/') return undefined;
  const query = doc.sliceString(from + 1, main.head);
  return query.length > QUERY_MAX || /^\s/.test(query) ? undefined : query;
}

/** Returns the insertions that some words name, best first. */
export function findInsertions(query: string): readonly Insertion[] {
  if (query === '') return INSERTIONS;
  const named = INSERTIONS.map((insertion) => ({ insertion, label: t(insertion.label), keywords: t(insertion.words) }));
  return matchItems(named, query).map((it) => it.insertion);
}
