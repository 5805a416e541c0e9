/** Markdown wired by hand: the ready-made package brings three more grammars along. */
import { defineLanguageFacet, Language, languageDataProp } from '@codemirror/language';
import { GFM, parser } from '@lezer/markdown';

const data = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } });
const grammar = parser.configure([GFM, { props: [languageDataProp.add({ Document: data })] }]);

/** The language of Markdown texts, with tables, task lists and strikethrough. */
export const markdown = new Language(data, grammar, [], 'markdown');

/** Markdown within a line: a cell of a table has no headings, lists or other blocks. */
export const markdownInline = new Language(
  data,
  grammar.configure({
    remove: ['LinkReference', 'IndentedCode', 'FencedCode', 'Blockquote', 'HorizontalRule', 'BulletList', 'OrderedList', 'ATXHeading', 'HTMLBlock', 'SetextHeading', 'Table', 'TaskList'],
  }),
  [],
  'markdown-inline',
);
