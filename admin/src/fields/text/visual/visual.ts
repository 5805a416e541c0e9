/** The visual look of Markdown: its signs are decorated, never converted, so the text stays as it is. */
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { keepCaretInWords } from './caret';
import { decorations } from './decorations';
import { visualKeys } from './keys';
import { linkPanel } from './link-panel';
import { numbering } from './numbering';
import classes from './visual.module.css';

/** The extensions of the visual look. */
export function visualExtensions(): Extension {
  return [
    EditorView.editorAttributes.of({ class: classes.visual ?? '' }),
    decorations,
    keepCaretInWords,
    numbering,
    linkPanel,
    Prec.high(keymap.of(visualKeys)),
  ];
}
