/** The extensions of a Markdown editor: its keys, its look, and files that are dropped or pasted into it. */
import { Compartment, type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { languageOf } from '~/code/languages';
import { continueList, toggleMark } from './commands';
import { visualExtensions } from './visual/visual';

/** The look of the text while it is written: its signs as formatting, or as it stands in the file. */
export type Look = 'visual' | 'source';

/** The extensions of both looks; `onFiles` is told which files were put where. */
export function markdownExtensions(look: Look, onFiles: (files: readonly File[], at: number) => void): Extension {
  return [languageOf('markdown'), looks.of(extensionsOfLook(look)), keys, fileHandlers(onFiles)];
}

const looks = new Compartment();

/** The extensions of one look alone: decorations, and tables as a grid. */
function extensionsOfLook(look: Look): Extension {
  if (look === 'source') return [];
  return [visualExtensions()];
}

/** Changes the look; the text, the selection and what can be undone stay. */
export function setLook(view: EditorView, look: Look): void {
  view.dispatch({ effects: looks.reconfigure(extensionsOfLook(look)) });
}

const keys = Prec.high(
  keymap.of([
    { key: 'Mod-b', run: toggleMark('**'), preventDefault: true },
    { key: 'Mod-i', run: toggleMark('*'), preventDefault: true },
    { key: 'Enter', run: continueList },
  ]),
);

function fileHandlers(onFiles: (files: readonly File[], at: number) => void): Extension {
  return EditorView.domEventHandlers({
    paste: (event, view) => take(event, event.clipboardData, view.state.selection.main.head),
    drop: (event, view) => take(event, event.dataTransfer, view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length),
  });

  function take(event: Event, data: DataTransfer | null, at: number): boolean {
    const files = [...(data?.files ?? [])];
    // A picture copied from a text processor comes with its text, and the text is what is meant.
    if (files.length === 0 || data?.types.includes('text/plain')) return false;
    event.preventDefault();
    onFiles(files, at);
    return true;
  }
}
