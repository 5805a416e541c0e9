import { isPath, withBase } from '~/base';

/**
 * Makes HTML that the server has cleaned fit to be shown in the page: paths of the site begin where
 * the product is mounted, links open beside it, and pictures of other hosts, which the page may not
 * load, are named.
 */
export function preparePreview(html: string, outside: (url: string) => string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  for (const link of body.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? '';
    if (href.startsWith('#')) continue;
    if (isPath(href)) link.setAttribute('href', withBase(href));
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  for (const media of body.querySelectorAll('img, video, audio, source')) {
    media.removeAttribute('srcset');
    const src = media.getAttribute('src') ?? '';
    if (isPath(src)) media.setAttribute('src', withBase(src));
    else if (!src.startsWith('data:') && isElsewhere(src)) media.replaceWith(note(outside(src)));
  }
  // Each block is read from the side that its first letter asks for; code is not.
  for (const block of body.querySelectorAll(':scope > :not(pre, [dir])')) block.setAttribute('dir', 'auto');
  return body.innerHTML;
}

/**
 * Returns Markdown that is rendered as a text in HTML, cleaned as the text will be: one block of HTML,
 * which an empty line would end.
 */
export function htmlAsMarkdown(html: string): string {
  return html.trim() === '' ? '' : `<div>\n${html.replaceAll(/\n\s*\n/g, '\n')}\n</div>`;
}

/** Checks whether the page may not load it; an address that cannot be read leads nowhere either. */
function isElsewhere(address: string): boolean {
  return !URL.canParse(address, location.href) || new URL(address, location.href).origin !== location.origin;
}

function note(text: string): HTMLElement {
  const element = document.createElement('em');
  element.textContent = text;
  return element;
}
