/** The headings of a text, for its outline. */
import { Text } from '@codemirror/state';
import { withLineFeeds } from '~/code/difference';
import { markdown } from '~/code/markdown';
import { frontMatterEnd } from '../visual/front-matter';

export interface Heading {
  /** From 1, the largest. */
  level: number;
  text: string;
  /** The place where its line begins, in the editor, which has line feeds only. */
  from: number;
}

/** Returns the headings of a Markdown text; those in lists and quotations are a part of these. */
export function findMarkdownHeadings(source: string): Heading[] {
  const headings: Heading[] = [];
  const text = withLineFeeds(source);
  const front = frontMatterEnd(Text.of(text.split('\n')));
  const { topNode } = markdown.parser.parse(text);
  for (let node = topNode.firstChild; node; node = node.nextSibling) {
    if (node.from < front) continue;
    const level = /^(?:ATX|Setext)Heading(\d)$/.exec(node.name)?.[1];
    if (level) headings.push({ level: Number(level), text: plainText(text.slice(node.from, node.to)), from: node.from });
  }
  return headings;
}

/** Returns the headings of a text in HTML. */
export function findHtmlHeadings(source: string): Heading[] {
  const headings: Heading[] = [];
  const text = withLineFeeds(source);
  let open: { level: number; from: number; inner: number } | undefined;
  for (const tag of text.matchAll(/<(\/?)h([1-6])\b[^<>]*>/gi)) {
    const level = Number(tag[2]);
    if (tag[1] === '') open = { level, from: tag.index, inner: tag.index + tag[0].length };
    else if (open?.level === level) {
      headings.push({ level, text: htmlText(text.slice(open.inner, tag.index)).replaceAll(/\s+/g, ' ').trim(), from: open.from });
      open = undefined;
    }
  }
  return headings;
}

/** Returns the words between the tags of HTML. Never to be shown as HTML: nothing is cleaned. */
export function htmlText(html: string): string {
  return html.replaceAll(/<[^<>]*>/g, ' ');
}

/** More of a heading no outline shows. */
const SHOWN_MAX = 200;

/** Returns the text of a heading without the signs of Markdown. */
function plainText(source: string): string {
  const line = source.slice(0, SHOWN_MAX).replace(/\n[=-]+\s*$/, '').replace(/^ {0,3}#{1,6}(?:\s+|$)/, '').replace(/\s+#+\s*$/, '');
  return line
    .replaceAll(/!?\[((?:\\.|[^\]\\])*)\](?:\([^)]*\)|\[[^\]]*\])?/g, '$1')
    .replaceAll(/(\*\*|__|~~|`|\*)(?=\S)(.*?\S)\1/g, '$2')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the index of the heading under which a place is; -1 above the first. */
export function headingAt(headings: readonly Heading[], place: number): number {
  return headings.findLastIndex((it) => it.from <= place);
}
