/** Small steps on a parsed document that is never shown. */

const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN MENU NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'.split(' '),
);

/** Checks whether a node is an element that stands on lines of its own. */
export function isBlock(node: Node | null): node is HTMLElement {
  return node !== null && BLOCKS.has(node.nodeName);
}

/** Checks whether a node is an element of one of some names, in capitals. */
export function isElement(node: Node | null, ...names: string[]): node is HTMLElement {
  return node !== null && node.nodeType === 1 && (names.length === 0 || names.includes(node.nodeName));
}

export function isText(node: Node | null): node is Text {
  return node !== null && node.nodeType === 3;
}

/** The elements below another that a selector finds, in an array that stays as it is. */
export function find(root: ParentNode, selector: string): HTMLElement[] {
  return Array.from(root.querySelectorAll<HTMLElement>(selector));
}

/** Checks whether a selector finds anything below an element. */
export function has(root: ParentNode, selector: string): boolean {
  return Boolean(root.querySelector(selector));
}

/** Checks whether an element or one around it fits a selector. */
export function isWithin(element: Element | null, selector: string): boolean {
  return Boolean(element?.closest(selector));
}

/** Puts the children of an element in its place. */
export function unwrap(element: Element): void {
  while (element.firstChild) element.parentNode?.insertBefore(element.firstChild, element);
  element.remove();
}

/** Moves all children of one element to the end of another. */
export function moveChildren(from: Element, to: Element): void {
  while (from.firstChild) to.appendChild(from.firstChild);
}

/** Makes an element one of another name, without attributes. */
export function rename(element: HTMLElement, name: string): HTMLElement {
  const made = element.ownerDocument.createElement(name);
  moveChildren(element, made);
  element.parentNode?.replaceChild(made, element);
  return made;
}

/** Puts an element around what another one holds. */
export function wrapChildren(element: HTMLElement, name: string): HTMLElement {
  const made = element.ownerDocument.createElement(name);
  moveChildren(element, made);
  element.appendChild(made);
  return made;
}

/** Puts an element around a node. */
export function wrapNode(node: Node, name: string): HTMLElement {
  const made = (node.ownerDocument as Document).createElement(name);
  node.parentNode?.replaceChild(made, node);
  made.appendChild(node);
  return made;
}

const DECLARATION = /(?:^|;)\s*([\w-]+)\s*:\s*((?:"[^"]*"|'[^']*'|\([^)]*\)|[^;"'(])*)/g;

/** A tag with its attributes. It ends before another one begins: else each that is never closed would be read to the end. */
const TAG = /<[a-z](?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
const STYLE_SHEET = /<style\b[\s\S]*?(?:<\/style\s*>|$)/gi;
const LIVE_ATTRIBUTE = /"[^"]*"|'[^']*'|([\s/])(style|on[a-z]+)(?=\s*=)/gi;

/**
 * Renames the attributes of HTML for styles and events, and drops its style sheets, so that nothing is
 * left to apply or to run: the policy of the page counts for parsed documents as well, and the browser
 * would complain about each.
 */
export function disarmHtml(html: string): string {
  const rename = (part: string, blank?: string, name?: string) => (name ? `${blank}data-${name.toLowerCase()}` : part);
  return html.replaceAll(STYLE_SHEET, '').replaceAll(TAG, (tag) => tag.replaceAll(LIVE_ATTRIBUTE, rename));
}

/** More of a style is not read: programs write some hundred characters. */
const STYLE_MAX = 10_000;

/** Returns the declarations of a renamed `style` attribute. */
export function styleOf(element: Element): ReadonlyMap<string, string> {
  const style = new Map<string, string>();
  for (const [, name = '', value = ''] of (element.getAttribute('data-style') ?? '').slice(0, STYLE_MAX).matchAll(DECLARATION)) {
    style.set(name.toLowerCase(), value.trim().toLowerCase());
  }
  return style;
}

/** The length of a style in points; other units than those of print and pixels count as nothing. */
export function pointsOf(value: string | undefined): number {
  const [, number = '', unit = ''] = /^(-?[\d.]+)(pt|px|in|cm)?/.exec(value ?? '') ?? [];
  const factor = { pt: 1, px: 0.75, in: 72, cm: 28.35 }[unit];
  return factor ? Number(number) * factor : 0;
}
