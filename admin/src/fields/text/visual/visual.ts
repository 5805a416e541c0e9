/** The visual look of Markdown: its signs are decorated, never converted, so the text stays as it is. */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { decorations } from './decorations';
import { visualTheme } from './theme';

/** The extensions of the visual look. */
export function visualExtensions(): Extension {
  return [EditorView.editorAttributes.of({ class: 'cm-visual' }), visualTheme, decorations];
}
