/** The editor of one cell: a line of Markdown whose history is that of the whole text. */
import { redo, redoDepth, standardKeymap, undo, undoDepth } from '@codemirror/commands';
import { openSearchPanel } from '@codemirror/search';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { type Command, EditorView, keymap, type ViewUpdate } from '@codemirror/view';
import { NONCE } from '~/base';
import { externalChange } from '~/code/basics';
import { findDifference } from '~/code/difference';
import { markdownInline } from '~/code/markdown';
import { registerOwnUndo } from '~/ui/own-undo';
import { insertLink, toggleMark } from '../commands';
import { portals } from '../portals';
import { decorations } from '../visual/decorations';
import { editLink } from '../visual/link-panel';
import { cellSource, cellText } from './format';

/** The grid around a cell, as the editor of the cell uses it. */
export interface CellHost {
  /** The editor of the whole text. */
  main: EditorView;
  label: string;
  /** Told of another source or another selection in it. */
  onChange: (source: string, selection: { anchor: number; head: number }, userEvent: string) => void;
  onSelect: (selection: { anchor: number; head: number }) => void;
  onBlur: () => void;
  /** Moves to the cell that many rows or columns away; a step may lead to the next row, or out of the grid. */
  move: (step: 'left' | 'right' | 'up' | 'down' | 'next' | 'previous' | 'enter') => boolean;
  moveRow: (by: 1 | -1) => boolean;
  leave: () => boolean;
  paste: (text: string) => boolean;
}

/** Makes the editor of a cell. */
export function createCellEditor(parent: HTMLElement, source: string, host: CellHost): EditorView {
  const editor = new EditorView({
    parent,
    state: EditorState.create({
      doc: cellText(source),
      extensions: [
        NONCE ? EditorView.cspNonce.of(NONCE) : [],
        markdownInline,
        // Pictures and links in a cell are drawn where those of the text are.
        portals.of(host.main.state.facet(portals)),
        decorations,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({
          'aria-label': host.label,
          'aria-multiline': 'false',
          'data-links': '',
          spellcheck: 'true',
          autocapitalize: 'sentences',
          autocorrect: 'on',
        }),
        oneLine,
        Prec.high(keymap.of(keysOf(host))),
        keymap.of(standardKeymap),
        EditorView.updateListener.of((update) => tell(update, host)),
        EditorView.domEventHandlers({
          blur: () => host.onBlur(),
          paste: (event) => take(event, host),
        }),
      ],
    }),
  });
  // Its keys for undo and redo are about the whole text, and not yet about the whole form.
  const { main } = host;
  registerOwnUndo(editor.contentDOM, { canUndo: () => undoDepth(main.state) > 0, canRedo: () => redoDepth(main.state) > 0 });
  return editor;
}

/** Brings the text of an editor to a source, unless it already says the same. */
export function syncCellEditor(editor: EditorView, source: string): void {
  const text = editor.state.doc.toString();
  if (cellSource(text) === source) return;
  const changes = findDifference(text, cellText(source));
  if (changes) editor.dispatch({ changes, annotations: externalChange.of(true) });
}

/** Selects a stretch of the source of a cell, as one of its text. */
export function selectSource(editor: EditorView, anchor: number, head: number): void {
  const { length } = editor.state.doc;
  const source = cellSource(editor.state.doc.toString());
  const now = sourceSelection(editor.state);
  // A blank at the end is not in the source: the caret behind it stays there.
  if (now.anchor === anchor && now.head === head) return;
  const place = (offset: number) => Math.min(cellText(source.slice(0, offset)).length, length);
  editor.dispatch({ selection: { anchor: place(anchor), head: place(head) }, annotations: externalChange.of(true) });
}

/** Line ends come in as what they are in a cell. */
const oneLine: Extension = EditorState.transactionFilter.of((tr) => {
  if (!tr.docChanged || tr.newDoc.lines === 1) return tr;
  const text = tr.newDoc.toString();
  const line = text.replaceAll('\n', '<br>');
  const before = text.slice(0, tr.newSelection.main.head).replaceAll('\n', '<br>').length;
  return [tr, { changes: { from: 0, to: text.length, insert: line }, selection: { anchor: before }, sequential: true }];
});

/** Returns the selection in the text of a cell as one in its source. */
function sourceSelection({ doc, selection: { main } }: EditorState): { anchor: number; head: number } {
  const offset = (place: number) => cellSource(doc.sliceString(0, place)).length;
  return { anchor: offset(main.anchor), head: offset(main.head) };
}

function tell({ docChanged, selectionSet, geometryChanged, state, transactions }: ViewUpdate, host: CellHost): void {
  if (geometryChanged) host.main.requestMeasure();
  if (transactions.some((it) => it.annotation(externalChange))) return;
  const text = state.doc.toString();
  const selection = sourceSelection(state);
  if (docChanged) {
    const event = ['input.type', 'delete'].find((it) => transactions.some((tr) => tr.isUserEvent(it)));
    host.onChange(cellSource(text), selection, event ?? 'input');
  } else if (selectionSet) host.onSelect(selection);
}

function keysOf(host: CellHost) {
  const main = (command: Command): Command => () => command(host.main) || true;
  // The step may be about another cell, or about the text around: the caret says so.
  const step = (command: Command): Command => () => {
    command(host.main);
    host.main.focus();
    return true;
  };
  const lineBreak: Command = (view) => {
    view.dispatch(view.state.replaceSelection('<br>'), { userEvent: 'input.type' });
    return true;
  };
  return [
    { key: 'Tab', run: () => host.move('next'), shift: () => host.move('previous') },
    { key: 'Enter', run: () => host.move('enter'), shift: lineBreak },
    { key: 'Escape', run: () => host.leave() },
    { key: 'ArrowLeft', run: (view: EditorView) => isAt(view, 0) && host.move('left') },
    { key: 'ArrowRight', run: (view: EditorView) => isAt(view, view.state.doc.length) && host.move('right') },
    { key: 'ArrowUp', run: (view: EditorView) => isOnLineOf(view, 0) && host.move('up') },
    { key: 'ArrowDown', run: (view: EditorView) => isOnLineOf(view, view.state.doc.length) && host.move('down') },
    { key: 'Alt-ArrowUp', run: () => host.moveRow(-1) },
    { key: 'Alt-ArrowDown', run: () => host.moveRow(1) },
    { key: 'Mod-z', run: step(undo), preventDefault: true },
    { key: 'Mod-y', mac: 'Mod-Shift-z', run: step(redo), preventDefault: true },
    { linux: 'Ctrl-Shift-z', run: step(redo), preventDefault: true },
    { key: 'Mod-b', run: toggleMark('**'), preventDefault: true },
    { key: 'Mod-i', run: toggleMark('*'), preventDefault: true },
    { key: 'Mod-k', run: main((view) => editLink(view) || insertLink(view)), preventDefault: true },
    { key: 'Mod-f', run: main(openSearchPanel), preventDefault: true },
  ];
}

function isAt({ state }: EditorView, place: number): boolean {
  const { empty, head } = state.selection.main;
  return empty && head === place;
}

/** Checks whether the caret is on the line, as the text wraps, that a place is on. */
function isOnLineOf(view: EditorView, place: number): boolean {
  const [caret, other] = [view.coordsAtPos(view.state.selection.main.head), view.coordsAtPos(place)];
  return !caret || !other || Math.abs(caret.top - other.top) < (caret.bottom - caret.top) / 2;
}

function take(event: ClipboardEvent, host: CellHost): boolean {
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (!host.paste(text)) return false;
  event.preventDefault();
  return true;
}
