/** The panel of the link that the caret is at: where it leads, and a form to change it. */
import { isolateHistory } from '@codemirror/commands';
import { StateEffect, StateField } from '@codemirror/state';
import { EditorView, showTooltip, type Tooltip, type TooltipView } from '@codemirror/view';
import { withoutBlanks } from '../insert/place';
import { formatDestination } from '../insert/syntax';
import { portals } from '../portals';
import { LinkPanel } from './LinkPanel';
import { changeLink, findLink, type Link, removeLink } from './links';

interface Editing {
  /** The part of the text that the link takes the place of. */
  from: number;
  to: number;
}

interface Panel {
  focused: boolean;
  editing: Editing | null;
  tooltip: Tooltip | null;
}

const setEditing = StateEffect.define<Editing | null>({
  map: (value, changes) => value && { from: changes.mapPos(value.from), to: changes.mapPos(value.to) },
});
const setFocused = StateEffect.define<boolean>();

const panel = StateField.define<Panel>({
  create: () => ({ focused: false, editing: null, tooltip: null }),
  update: (before, transaction) => {
    let { focused, editing } = before;
    if (editing && transaction.docChanged) {
      editing = { from: transaction.changes.mapPos(editing.from, -1), to: transaction.changes.mapPos(editing.to, 1) };
    }
    for (const effect of transaction.effects) {
      if (effect.is(setEditing)) editing = effect.value;
      if (effect.is(setFocused)) focused = effect.value;
    }
    const { main } = transaction.state.selection;
    const link = !editing && focused && main.empty ? findLink(transaction.state, main.head) : undefined;
    const place = editing ?? link;
    if (!place) return before.tooltip || before.focused !== focused ? { focused, editing, tooltip: null } : before;
    return { focused, editing, tooltip: { pos: place.from, end: place.to, create: editing ? createForm : createCard } };
  },
  provide: (field) => showTooltip.from(field, (it) => it.tooltip),
});

/** The panel, and what it needs to know of the focus. */
export const linkPanel = [
  panel,
  EditorView.focusChangeEffect.of((state, focusing) => (state.field(panel).focused === focusing ? null : setFocused.of(focusing))),
];

const createCard = (view: EditorView) => create(view, false);
const createForm = (view: EditorView) => create(view, true);

function create(view: EditorView, form: boolean): TooltipView {
  const dom = document.createElement('div');
  const render = () => {
    const { editing } = view.state.field(panel);
    const place = editing ?? { from: view.state.selection.main.head, to: view.state.selection.main.head };
    const link = editing && editing.from === editing.to ? undefined : findLink(view.state, place.from === place.to ? place.from : place.from + 1);
    const text = link ? link.text : place;
    view.state.facet(portals).set(
      dom,
      <LinkPanel
        form={form}
        readOnly={view.state.readOnly}
        text={view.state.sliceDoc(text.from, text.to)}
        address={link?.address}
        onEdit={() => editLink(view)}
        onApply={(words, address, back) => apply(view, link ?? place, { text: words, address }, back)}
        onRemove={() => link && remove(view, link)}
        onClose={(back) => close(view, back)}
      />,
    );
  };
  render();
  return {
    dom,
    offset: { x: 0, y: 4 },
    update: (update) => {
      if (update.docChanged || update.selectionSet) render();
    },
    destroy: () => view.state.facet(portals).delete(dom),
  };
}

/** Opens the form for the link at the caret, or for a new one around the selection or the word. */
export function editLink(view: EditorView): boolean {
  const { state } = view;
  if (state.readOnly || !state.field(panel, false)) return false;
  const { main } = state.selection;
  const link = findLink(state, main.head);
  const place = link ?? (main.empty ? (state.wordAt(main.head) ?? main) : withoutBlanks(state, main));
  view.dispatch({ effects: setEditing.of({ from: place.from, to: place.to }) });
  return true;
}

/** Opens the form for the link at a place. */
export function editLinkAt(view: EditorView, place: number): void {
  const link = findLink(view.state, place);
  if (link && !view.state.readOnly) view.dispatch({ effects: setEditing.of({ from: link.from, to: link.to }) });
}

/** Makes the link, or changes it; `back` leads the keyboard back to the text. */
function apply(view: EditorView, place: Editing | Link, meant: { text: string; address: string }, back: boolean): void {
  const text = balanced(meant.text || meant.address);
  const changes = view.state.changes(
    'address' in place ? changeLink(view.state, place, text, meant.address) : [{ ...place, insert: `[${text}](${formatDestination(meant.address)})` }],
  );
  view.dispatch({
    changes,
    ...(back && { selection: { anchor: changes.mapPos(place.to, 1) } }),
    effects: setEditing.of(null),
    annotations: isolateHistory.of('full'),
    userEvent: 'input',
  });
  if (back) view.focus();
}

/** Brackets that would end the text of a link early mean themselves. */
function balanced(text: string): string {
  let depth = 0;
  for (const [sign] of text.matchAll(/\\.|[[\]]/gs)) {
    depth += sign === '[' ? 1 : sign === ']' ? -1 : 0;
    if (depth < 0) break;
  }
  return depth === 0 ? text : text.replaceAll(/\\.|[[\]]/gs, (sign) => (sign.length === 1 ? `\\${sign}` : sign));
}

function remove(view: EditorView, link: Link): void {
  view.dispatch({ changes: removeLink(link), effects: setEditing.of(null), annotations: isolateHistory.of('full'), userEvent: 'delete' });
  view.focus();
}

function close(view: EditorView, back: boolean): void {
  view.dispatch({ effects: setEditing.of(null) });
  if (back) view.focus();
}
