/** The languages that code is shown in. */
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { linter, lintGutter, lintKeymap } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import { EditorView, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import type { CodeEditorProps } from './types';
import { htmlParser } from './html';
import { markdown } from './markdown';
import { markdownColours } from './theme';

/** Returns the extensions of a language: its syntax, and line numbers where lines are counted. */
export function languageOf(name: CodeEditorProps['language'] | 'prose'): Extension {
  switch (name) {
    case 'json':
      return [json(), jsonLint(), lineNumbers(), highlightActiveLineGutter(), lintGutter(), keymap.of(lintKeymap), plain];
    case 'html':
      return [StreamLanguage.define(htmlParser), plain];
    case 'markdown':
      return [markdownProse, markdownSource];
    case 'prose':
      return proseAttributes;
    case 'text':
      return plain;
  }
}

/** JSON with a mark where it breaks; an empty text is not wrong, it is not there yet. */
function jsonLint(): Extension {
  const parse = jsonParseLinter();
  return linter((view) => (view.state.doc.toString().trim() === '' ? [] : parse(view)), { delay: 400 });
}

const plain = EditorView.contentAttributes.of({ spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' });

/** Texts for people get the help of the browser. */
const proseAttributes = EditorView.contentAttributes.of({ spellcheck: 'true', autocapitalize: 'sentences', autocorrect: 'on' });

/** Markdown without a look. */
export const markdownProse: Extension = [markdown, proseAttributes];

/** The look of Markdown as it stands in the file. */
export const markdownSource: Extension = syntaxHighlighting(markdownColours);
