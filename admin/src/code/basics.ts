/** The extensions of every editor: undo, search, brackets, colours, and words in the language of the interface. */
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { Annotation, EditorState, type Extension } from '@codemirror/state';
import { drawSelection, EditorView, keymap, rectangularSelection } from '@codemirror/view';
import { NONCE } from '~/base';
import { t } from '~/i18n';
import { lineDirections } from './direction';
import { searchInText } from './search/panel';
import { syntaxColours, theme } from './theme';

/** Marks a change that was not made in the editor and need not be told. */
export const externalChange = Annotation.define<boolean>();

/** The extensions that every editor has. Tab is left alone: it leads out of the editor. */
export function basicExtensions(): Extension {
  return [
    NONCE ? EditorView.cspNonce.of(NONCE) : [],
    EditorState.phrases.of(phrases()),
    history(),
    drawSelection(),
    rectangularSelection(),
    indentOnInput(),
    bracketMatching(),
    highlightSelectionMatches(),
    searchInText(),
    syntaxHighlighting(syntaxColours),
    theme,
    EditorView.lineWrapping,
    lineDirections,
    keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
  ];
}

function phrases(): Record<string, string> {
  return {
    close: t('general.close'),
    'current match': t('fields.code.currentMatch'),
    'on line': t('fields.code.onLine'),
    'replaced $ matches': t('fields.code.replacedMany'),
    'replaced match on line $': t('fields.code.replacedOne'),
    'Go to line': t('fields.code.goToLine'),
    go: t('fields.code.go'),
    Diagnostics: t('fields.code.diagnostics'),
    'No diagnostics': t('fields.code.noDiagnostics'),
    'Selection deleted': t('fields.code.selectionDeleted'),
    'Control character': t('fields.code.controlCharacter'),
  };
}
