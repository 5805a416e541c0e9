/** Brings lists, tables, code and loose text into the one shape that the conversion reads. */
import { find, isBlock, isElement, isText, isWithin, moveChildren, rename, unwrap, wrapChildren } from './dom';

/** Puts nested lists into the items that they belong to, and stray items into lists. */
export function nestLists(body: HTMLElement): void {
  for (const item of find(body, 'li')) {
    if (isElement(item.parentNode, 'UL', 'OL', 'MENU')) continue;
    const before = item.previousElementSibling;
    const list = isElement(before, 'UL') && before.hasAttribute('data-stray') ? before : item.ownerDocument.createElement('ul');
    list.setAttribute('data-stray', '');
    if (list !== before) item.parentNode?.insertBefore(list, item);
    list.appendChild(item);
  }
  for (const list of find(body, 'ul, ol, menu')) {
    for (const child of Array.from(list.childNodes)) {
      if (isElement(child, 'LI')) continue;
      if (!isElement(child) && child.textContent?.trim() === '') {
        child.remove();
        continue;
      }
      const before = child.previousSibling;
      const item = isElement(before, 'LI') ? before : list.ownerDocument.createElement('li');
      if (item !== before) list.insertBefore(item, child);
      item.appendChild(child);
    }
  }
}

/** Marks the items of task lists with `data-task`, and removes what shows the box. */
export function markTasks(body: HTMLElement): void {
  for (const item of find(body, 'li')) {
    const box = find(item, 'input[type=checkbox]').find((it) => it.closest('li') === item);
    const role = item.getAttribute('role') === 'checkbox';
    if (!box && !role) continue;
    const done = role ? item.getAttribute('aria-checked') === 'true' : box?.hasAttribute('checked');
    item.setAttribute('data-task', done ? 'x' : ' ');
    box?.remove();
    const picture = find(item, 'img[aria-roledescription=checkbox]')[0];
    if (picture?.closest('li') === item) picture.remove();
  }
}

/** A table of one cell is a frame around something, and no table. */
export function unframe(body: HTMLElement): void {
  for (const table of find(body, 'table')) {
    const cells = find(table, 'td, th');
    const [only] = cells;
    if (cells.length !== 1 || !only) continue;
    const made = rename(table, 'div');
    moveChildren(only, made);
    for (const row of find(made, 'tbody, colgroup')) row.remove();
  }
}

/** Makes paragraphs whose whole text is code a block of code; those that follow each other are one. */
export function joinCode(body: HTMLElement): void {
  for (const paragraph of find(body, 'p')) {
    if (!isAllCode(paragraph) || isWithin(paragraph, 'li, td, th, blockquote')) continue;
    const text = Array.from(paragraph.childNodes).map(codeText).join('');
    const before = paragraph.previousElementSibling;
    if (isElement(before, 'PRE') && before.hasAttribute('data-joined')) {
      before.textContent = `${before.textContent}\n${text}`;
      paragraph.remove();
    } else {
      const made = rename(paragraph, 'pre');
      made.setAttribute('data-joined', '');
      made.textContent = text;
    }
  }
}

function isAllCode(paragraph: HTMLElement): boolean {
  const children = Array.from(paragraph.childNodes).filter((it) => isElement(it) || it.textContent?.trim() !== '');
  return children.some((it) => isElement(it, 'CODE')) && children.every((it) => isElement(it, 'CODE', 'BR'));
}

/** The text of a block of code: a break and the end of a block within it are ends of lines. */
export function codeText(node: Node): string {
  if (isText(node)) return node.data;
  if (isElement(node, 'BR')) return '\n';
  const text = Array.from(node.childNodes).map(codeText).join('');
  const isLine = isBlock(node) && node.nodeName !== 'PRE' && node.nextSibling !== null;
  return isLine && !text.endsWith('\n') ? `${text}\n` : text;
}

/** A link around blocks goes around the text of each. */
export function pushLinksIn(body: HTMLElement): void {
  for (const link of find(body, 'a[href]')) {
    const blocks = find(link, '*').filter((it) => isBlock(it) && !Array.from(it.children).some(isBlock) && it.textContent?.trim() !== '');
    if (blocks.length === 0) continue;
    for (const block of blocks) wrapChildren(block, 'a').setAttribute('href', link.getAttribute('href') ?? '');
    unwrap(link);
  }
}

const HOLDERS = new Set(['BODY', 'DIV', 'LI', 'BLOCKQUOTE', 'TD', 'TH', 'DD', 'DT', 'FIGURE', 'SECTION', 'ARTICLE', 'MAIN', 'ASIDE', 'HEADER', 'FOOTER', 'FORM', 'NAV', 'DETAILS', 'ADDRESS', 'CENTER', 'FIELDSET']);

/** Puts all text that stands loose among blocks into paragraphs, and parts paragraphs at empty lines. */
export function wrapLooseText(element: HTMLElement): void {
  for (const child of Array.from(element.children)) if (!isElement(child, 'PRE')) wrapLooseText(child as HTMLElement);
  if (HOLDERS.has(element.nodeName)) gatherParagraphs(element);
  if (element.nodeName === 'P') splitParagraph(element);
}

function gatherParagraphs(holder: HTMLElement): void {
  let open: HTMLElement | undefined;
  for (const child of Array.from(holder.childNodes)) {
    if (isBlock(child)) {
      open = undefined;
      continue;
    }
    if (!open) {
      if (isText(child) && child.data.trim() === '') continue;
      open = holder.ownerDocument.createElement('p');
      holder.insertBefore(open, child);
    }
    open.appendChild(child);
  }
  for (const made of Array.from(holder.children)) if (isElement(made, 'P')) splitParagraph(made);
}

/** Two breaks in a row are an empty line, which parts paragraphs; breaks at the ends say nothing. */
function splitParagraph(paragraph: HTMLElement): void {
  const parts: ChildNode[][] = [[]];
  let breaks: ChildNode[] = [];
  for (const child of Array.from(paragraph.childNodes)) {
    if (isElement(child, 'BR')) {
      breaks.push(child);
      continue;
    }
    if (isText(child) && child.data.trim() === '' && (breaks.length > 0 || parts.at(-1)?.length === 0)) continue;
    if (breaks.length > 1) parts.push([]);
    else if (parts.at(-1)?.length) parts.at(-1)?.push(...breaks);
    breaks = [];
    parts.at(-1)?.push(child);
  }
  const filled = parts.filter((it) => it.length > 0);
  for (const part of filled) {
    const made = paragraph.ownerDocument.createElement('p');
    for (const name of ['data-style', 'align']) if (paragraph.hasAttribute(name)) made.setAttribute(name, paragraph.getAttribute(name) ?? '');
    for (const child of part) made.appendChild(child);
    paragraph.parentNode?.insertBefore(made, paragraph);
  }
  paragraph.remove();
}
