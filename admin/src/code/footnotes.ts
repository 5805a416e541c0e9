/** Footnotes for the grammar of Markdown: `[^name]` in the text, and `[^name]:` where a line begins. */
import { tags } from '@lezer/highlight';
import type { MarkdownConfig } from '@lezer/markdown';

const REFERENCE = /^\[\^[^\]\s[]+\]/;
const BRACKET = 91;
const CARET = 94;

export const footnotes: MarkdownConfig = {
  defineNodes: [{ name: 'FootnoteReference', style: tags.link }],
  parseInline: [
    {
      name: 'FootnoteReference',
      before: 'Link',
      parse: (context, next, place) => {
        if (next !== BRACKET || context.char(place + 1) !== CARET) return -1;
        const length = REFERENCE.exec(context.slice(place, context.end))?.[0].length;
        return length === undefined ? -1 : context.addElement(context.elt('FootnoteReference', place, place + length));
      },
    },
  ],
};
