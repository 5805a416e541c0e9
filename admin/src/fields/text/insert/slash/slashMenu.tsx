/**
 * The menu of `/`. The text keeps the focus, as with every list of suggestions: the keys of the menu
 * work while it is open, and screen readers follow `aria-activedescendant`.
 */
import { isolateHistory } from '@codemirror/commands';
import { type Extension, Prec, type Transaction } from '@codemirror/state';
import { EditorView, keymap, showTooltip, type Tooltip } from '@codemirror/view';
import { portals } from '../../portals';
import type { InsertDialog, Insertion } from '../catalogue';
import classes from '../insert.module.css';
import { LIST_ID, optionId } from './ids';
import { SlashList } from './SlashList';
import { chooseItem, closeSlash, type Slash, slashField } from './slashState';

/** The menu; `onDialog` is told which dialog an insertion needs. */
export function slashMenu(onDialog: (dialog: InsertDialog) => void): Extension {
  const accept = (view: EditorView, insertion: Insertion) => runInsertion(view, insertion, onDialog);
  const tooltip = listTooltip(accept);
  return [
    slashField,
    showTooltip.from(slashField, (slash) => slash && { ...tooltip, pos: slash.from }),
    EditorView.contentAttributes.compute([slashField], (state) => attributesOf(state.field(slashField))),
    EditorView.focusChangeEffect.of((_, focusing) => (focusing ? null : closeSlash.of(null))),
    Prec.highest(
      keymap.of([
        { key: 'ArrowDown', run: (view) => move(view, 1) },
        { key: 'ArrowUp', run: (view) => move(view, -1) },
        { key: 'PageDown', run: (view) => move(view, 6) },
        { key: 'PageUp', run: (view) => move(view, -6) },
        { key: 'Escape', run: close },
        { key: 'Enter', run: (view) => acceptActive(view, accept) },
        { key: 'Tab', run: (view) => acceptActive(view, accept) },
      ]),
    ),
  ];
}

function attributesOf(slash: Slash | null): Record<string, string> {
  if (!slash || slash.items.length === 0) return {};
  return { 'aria-autocomplete': 'list', 'aria-haspopup': 'listbox', 'aria-controls': LIST_ID, 'aria-activedescendant': optionId(slash.active) };
}

function listTooltip(accept: (view: EditorView, insertion: Insertion) => void): Omit<Tooltip, 'pos'> {
  return {
    above: false,
    create(view) {
      const dom = document.createElement('div');
      dom.className = classes.frame ?? '';
      const store = view.state.facet(portals);
      const show = (slash: Slash | null) => {
        if (slash) store.set(dom, <SlashList slash={slash} onActive={(at) => view.dispatch({ effects: chooseItem.of(at) })} onChoose={(it) => accept(view, it)} />);
      };
      show(view.state.field(slashField));
      return {
        dom,
        update: ({ state, startState }) => {
          if (state.field(slashField) !== startState.field(slashField)) show(state.field(slashField));
        },
        destroy: () => store.delete(dom),
      };
    },
  };
}

function move(view: EditorView, step: number): boolean {
  const slash = view.state.field(slashField);
  if (!slash || slash.items.length === 0) return false;
  const { active, items } = slash;
  const next = Math.abs(step) > 1 ? Math.min(items.length - 1, Math.max(0, active + step)) : (active + step + items.length) % items.length;
  view.dispatch({ effects: chooseItem.of(next) });
  return true;
}

function close(view: EditorView): boolean {
  if (!view.state.field(slashField)) return false;
  view.dispatch({ effects: closeSlash.of(null) });
  return true;
}

function acceptActive(view: EditorView, accept: (view: EditorView, insertion: Insertion) => void): boolean {
  const slash = view.state.field(slashField);
  const insertion = slash?.items[slash.active];
  if (!insertion) return false;
  accept(view, insertion);
  return true;
}

/** Removes the slash with its words and inserts what was chosen, as one step. */
function runInsertion(view: EditorView, { insert }: Insertion, onDialog: (dialog: InsertDialog) => void): void {
  const slash = view.state.field(slashField);
  if (!slash) return;
  const { state } = view;
  const removal = state.update({ changes: { from: slash.from, to: state.selection.main.head }, effects: closeSlash.of(null) });
  let done: Transaction | undefined;
  if (typeof insert !== 'string') insert({ state: removal.state, dispatch: (tr) => (done = tr) });
  view.dispatch({
    changes: done ? removal.changes.compose(done.changes) : removal.changes,
    selection: done?.newSelection,
    effects: [closeSlash.of(null), ...(done?.effects ?? [])],
    scrollIntoView: true,
    userEvent: 'input.insert',
    annotations: isolateHistory.of('full'),
  });
  if (typeof insert === 'string') onDialog(insert);
  else view.focus();
}
