/** Markdown wired by hand: the ready-made package brings three more grammars along. */
import { jsonLanguage } from '@codemirror/lang-json';
import { defineLanguageFacet, Language, languageDataProp, StreamLanguage } from '@codemirror/language';
import type { Parser } from '@lezer/common';
import { GFM, parseCode, parser } from '@lezer/markdown';
import { footnotes } from './footnotes';
import { htmlParser } from './html';

const html = StreamLanguage.define(htmlParser).parser;
/** The grammars of code blocks: those that the editor has anyway. */
const CODE: Readonly<Record<string, Parser>> = {
  json: jsonLanguage.parser, jsonc: jsonLanguage.parser, html, xml: html, svg: html,
};

const data = defineLanguageFacet({ commentTokens: { block: { open: '<!--', close: '-->' } } });
const grammar = parser.configure([
  GFM,
  footnotes,
  parseCode({ codeParser: (info) => CODE[info.toLowerCase().split(/[\s{,]/, 1)[0] ?? ''] ?? null, htmlParser: html }),
  { props: [languageDataProp.add({ Document: data })] },
]);

/** The language of Markdown texts, with tables, task lists, strikethrough and footnotes. */
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
