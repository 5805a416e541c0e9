import { type ReactNode, useMemo } from 'react';
import { htmlAsMarkdown } from '~/fields/text/preview';
import { useRenderedMarkdown } from '~/fields/text/useRenderedMarkdown';
import markdown from '~/fields/text/markdown.module.css';
import classes from './translate.module.css';

interface QuotedMarkdownProps {
  text: string;
  isHtml: boolean;
  locale: string;
  /** The text as it is written, until it is rendered. */
  fallback: ReactNode;
}

/** A Markdown text as readers get it. */
export function QuotedMarkdown({ text, isHtml, locale, fallback }: QuotedMarkdownProps) {
  const { html } = useRenderedMarkdown(isHtml ? htmlAsMarkdown(text) : text);
  const quoted = useMemo(() => (html === undefined ? undefined : demoteHeadings(html)), [html]);
  if (quoted === undefined) return fallback;
  return <div className={`${markdown.typography} ${classes.markdown}`} lang={locale} dir="auto" dangerouslySetInnerHTML={{ __html: quoted }} />;
}

/** Takes headings out of the outline: those of a quotation are none of the page. */
function demoteHeadings(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const heading of body.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    // Whatever stands in a heading may stand in it as well.
    const block = document.createElement('div');
    block.dataset.heading = heading.tagName.slice(1);
    block.append(...heading.childNodes);
    heading.replaceWith(block);
  }
  return body.innerHTML;
}
