/**
 * Bold, italic, struck out and code: word processors say it by tags, by styles, and by styles that
 * take back a tag. What counts for each stretch of text is worked out, and said by one tag each.
 */
import { find, isElement, isText, isWithin, moveChildren, styleOf, unwrap, wrapNode } from './dom';

interface Format {
  strong: boolean;
  em: boolean;
  del: boolean;
  code: boolean;
}

const PLAIN: Format = { strong: false, em: false, del: false, code: false };
const MONOSPACE = /mono|courier|consolas|menlo|monaco|source code|cascadia|fira code|inconsolata/;

/** The tags that only say how text looks. All go; those that count come back around each text. */
const LOOKS = 'b, strong, i, em, cite, dfn, var, s, strike, del, code, kbd, samp, tt, span, font, u, ins, mark, small, big, sub, sup, abbr, acronym, label, time, bdi, bdo, center, o\\:p, st1\\:place';

interface FormatOptions {
  /** True if a font with letters of one width means code, as in word processors; on web pages it may be the design. */
  fontsAreCode: boolean;
}

/** Replaces all tags and styles for the look of text by `strong`, `em`, `del` and `code`. */
export function unifyFormats(body: HTMLElement, options: FormatOptions): void {
  const formats: [Text, Format][] = [];
  collect(body, PLAIN, options, formats);
  for (const element of find(body, LOOKS)) unwrapOutsideCode(element);
  for (const [text, format] of formats) {
    let node: Node = text;
    for (const name of ['code', 'del', 'em', 'strong'] as const) if (format[name]) node = wrapNode(node, name);
  }
  mergeEqual(body);
}

function collect(node: Node, format: Format, options: FormatOptions, into: [Text, Format][]): void {
  if (isText(node)) {
    into.push([node, format]);
    return;
  }
  if (!isElement(node) || node.nodeName === 'PRE') return;
  const own = formatOf(node, format, options);
  for (const child of Array.from(node.childNodes)) collect(child, own, options, into);
}

/** Returns the format within an element, from the one around it. */
function formatOf(element: HTMLElement, around: Format, { fontsAreCode }: FormatOptions): Format {
  const format = { ...around };
  const name = element.nodeName;
  if (name === 'B' || name === 'STRONG') format.strong = true;
  if (name === 'I' || name === 'EM') format.em = true;
  if (name === 'S' || name === 'STRIKE' || name === 'DEL') format.del = true;
  if (name === 'CODE' || name === 'KBD' || name === 'SAMP' || name === 'TT') format.code = true;
  const style = styleOf(element);
  const weight = style.get('font-weight');
  if (weight) format.strong = /^(bold|bolder|[6-9]00)/.test(weight);
  const slant = style.get('font-style');
  if (slant) format.em = /^(italic|oblique)/.test(slant);
  if (`${style.get('text-decoration') ?? ''} ${style.get('text-decoration-line') ?? ''}`.includes('line-through')) format.del = true;
  if (fontsAreCode && style.has('font-family')) format.code = MONOSPACE.test(style.get('font-family') ?? '');
  // A heading is bold by itself, and a task that is done is struck out by itself.
  if (isWithin(element, 'h1, h2, h3, h4, h5, h6, th')) format.strong = false;
  if (isWithin(element, '[aria-checked=true]')) format.del = false;
  return format;
}

function unwrapOutsideCode(element: HTMLElement): void {
  if (!isWithin(element, 'pre')) unwrap(element);
}

const MERGED = new Set(['STRONG', 'EM', 'DEL', 'CODE']);

/** Joins neighbours that say the same: a word processor may cut a bold sentence into many pieces. */
function mergeEqual(parent: Node): void {
  parent.normalize();
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    while (isElement(node) && isElement(node.nextSibling) && areEqual(node, node.nextSibling)) {
      const next = node.nextSibling;
      moveChildren(next, node);
      next.remove();
    }
    if (!isElement(node, 'PRE')) mergeEqual(node);
  }
}

function areEqual(one: HTMLElement, other: HTMLElement): boolean {
  if (one.nodeName !== other.nodeName) return false;
  if (one.nodeName === 'A') return one.hasAttribute('href') && one.getAttribute('href') === other.getAttribute('href');
  return MERGED.has(one.nodeName);
}
