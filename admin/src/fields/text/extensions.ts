/** The extensions of a Markdown editor: its keys, and files that are dropped or pasted into it. */
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { languageOf } from '~/code/languages';
import { continueList, toggleMark } from './commands';

/** The extensions; `onFiles` is told which files were put where. */
export function markdownExtensions(onFiles: (files: readonly File[], at: number) => void): Extension {
  return [
    languageOf('markdown'),
    Prec.high(
      keymap.of([
        { key: 'Mod-b', run: toggleMark('**'), preventDefault: true },
        { key: 'Mod-i', run: toggleMark('*'), preventDefault: true },
        { key: 'Enter', run: continueList },
      ]),
    ),
    EditorView.domEventHandlers({
      paste: (event, view) => take(event, event.clipboardData, view.state.selection.main.head),
      drop: (event, view) => take(event, event.dataTransfer, view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.doc.length),
    }),
  ];

  function take(event: Event, data: DataTransfer | null, at: number): boolean {
    const files = [...(data?.files ?? [])];
    // A picture copied from a text processor comes with its text, and the text is what is meant.
    if (files.length === 0 || data?.types.includes('text/plain')) return false;
    event.preventDefault();
    onFiles(files, at);
    return true;
  }
}
