/** The HTML of Word: its lists are paragraphs, its quotations and titles are classes. */
import { find, has, isElement, moveChildren, pointsOf, rename, styleOf } from './dom';

/** Checks whether HTML comes from Word, Outlook or another program of that family. */
export function isFromWord(body: HTMLElement): boolean {
  return has(body, '[class^=Mso], [class*=" Mso"], [data-style*="mso-"]');
}

/** Makes lists, quotations and titles of the paragraphs that Word says them with. */
export function readWord(body: HTMLElement): void {
  readLists(body);
  for (const title of find(body, 'p.MsoTitle')) rename(title, 'h1');
  for (const quote of find(body, 'p.MsoQuote, p.MsoIntenseQuote')) markQuotation(quote);
  for (const element of find(body, '[data-style]')) {
    const style = styleOf(element);
    if (style.get('mso-list') === 'ignore') element.remove();
    // The line above the footnotes.
    if (style.get('mso-element') === 'footnote-list') for (const line of find(element, 'hr')) line.remove();
  }
}

/** Makes a paragraph a quotation; those that follow each other are one. */
export function markQuotation(paragraph: HTMLElement): void {
  const before = previousElement(paragraph);
  const quote = isElement(before, 'BLOCKQUOTE') ? before : paragraph.ownerDocument.createElement('blockquote');
  if (quote !== before) paragraph.parentNode?.insertBefore(quote, paragraph);
  quote.appendChild(paragraph);
}

/** The element before another, if only blanks stand between them. */
function previousElement(element: HTMLElement): Node | null {
  let node = element.previousSibling;
  while (node && !isElement(node) && node.textContent?.trim() === '') node = node.previousSibling;
  return node;
}

interface WordItem {
  paragraph: HTMLElement;
  level: number;
  ordered: boolean;
}

function readLists(body: HTMLElement): void {
  let run: WordItem[] = [];
  for (const paragraph of find(body, 'p, h1, h2, h3, h4, h5, h6')) {
    const item = readItem(paragraph);
    const last = run.at(-1);
    if (last && !(item && previousElement(paragraph) === last.paragraph)) {
      buildList(run);
      run = [];
    }
    if (item) run.push(item);
  }
  if (run.length > 0) buildList(run);
}

/** `mso-list: l0 level2 lfo1` says the level; the text of the marker, whether it counts. */
function readItem(paragraph: HTMLElement): WordItem | undefined {
  const level = /level(\d+)/.exec(styleOf(paragraph).get('mso-list') ?? '')?.[1];
  if (!level || paragraph.nodeName !== 'P') return undefined;
  const marker = find(paragraph, 'span').find((it) => styleOf(it).get('mso-list') === 'ignore');
  const text = (marker?.textContent ?? '').trim();
  marker?.remove();
  return { paragraph, level: Number(level), ordered: /^\(?(\d+|[a-z]{1,4})[.)]/i.test(text) };
}

function buildList(items: readonly WordItem[]): void {
  const open: { list: HTMLElement; level: number; item?: HTMLElement }[] = [];
  for (const { paragraph, level, ordered } of items) {
    const make = (name: string) => paragraph.ownerDocument.createElement(name);
    while ((open.at(-1)?.level ?? 0) > level) open.pop();
    let top = open.at(-1);
    const name = ordered ? 'OL' : 'UL';
    if (!top || top.level < level || top.list.nodeName !== name) {
      if (top?.level === level) open.pop();
      const list = make(name);
      const around = open.at(-1)?.item;
      if (around) around.appendChild(list);
      else paragraph.parentNode?.insertBefore(list, paragraph);
      top = { list, level };
      open.push(top);
    }
    top.item = make('li');
    moveChildren(paragraph, top.item);
    top.list.appendChild(top.item);
    paragraph.remove();
  }
}

/** Checks whether a paragraph of a word processor is set in as a whole, which is how people quote there. */
export function isSetIn(paragraph: HTMLElement): boolean {
  const style = styleOf(paragraph);
  const [, , , left] = (style.get('margin') ?? '').split(/\s+/);
  return pointsOf(style.get('margin-left') ?? left) >= 18 && pointsOf(style.get('text-indent')) >= 0;
}
