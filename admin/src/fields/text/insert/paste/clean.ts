/** From the HTML of word processors and web pages to the few elements that Markdown can say. */
import { cleanLinks, findPictures, linkFrames, type NameEntry, type PictureFindings } from './addresses';
import { find, has, isElement, isText, isWithin, moveChildren, rename, styleOf, unwrap } from './dom';
import { unifyFormats } from './formats';
import { joinCode, markTasks, nestLists, pushLinksIn, unframe, wrapLooseText } from './structure';
import { isFromWord, isSetIn, markQuotation, readWord } from './word';

const NEVER_READ =
  'script, style, meta, link, title, base, noscript, template, object, embed, applet, svg, math, canvas, audio, video, button, select, textarea, xml, input:not([type=checkbox]), br.Apple-interchange-newline, [hidden]';

/** Cleans a parsed document in place; it is never shown. Says which pictures it has. */
export function cleanPasted(body: HTMLElement, nameEntry: NameEntry): PictureFindings {
  const isWord = isFromWord(body);
  const isGoogle = has(body, '[id^="docs-internal-guid"]');
  removeComments(body);
  for (const element of find(body, NEVER_READ)) element.remove();
  for (const element of find(body, '[data-style]')) if (isUnseen(element)) element.remove();
  if (isWord) readWord(body);
  readFootnotes(body);
  if (isWord || isGoogle) readQuotations(body);
  linkFrames(body);
  markTasks(body);
  nestLists(body);
  unframe(body);
  pushLinksIn(body);
  unifyFormats(body, { fontsAreCode: isWord || isGoogle });
  joinCode(body);
  cleanLinks(body, nameEntry);
  const pictures = findPictures(body);
  wrapLooseText(body);
  lowerHeadings(body);
  tidySpaces(body);
  return pictures;
}

function removeComments(node: Node): void {
  for (const child of Array.from(node.childNodes)) {
    if (isElement(child)) removeComments(child);
    else if (!isText(child)) child.remove();
  }
}

function isUnseen(element: HTMLElement): boolean {
  const style = styleOf(element);
  return style.get('display') === 'none' || style.get('mso-hide') === 'all' || style.get('visibility') === 'hidden';
}

/** Word processors have no quotations: people set the paragraph in. */
function readQuotations(body: HTMLElement): void {
  for (const paragraph of find(body, 'p')) {
    if (!isWithin(paragraph, 'li, td, th, blockquote') && isSetIn(paragraph)) markQuotation(paragraph);
  }
}

const NOTE = /^#_?ftnt?(\d+)$/;
const NOTE_BACK = /^#_?ftnt?_?ref(\d+)$/;

/** Footnotes: `data-note` on what refers to one, `data-note-text` on the paragraph that is one. */
function readFootnotes(body: HTMLElement): void {
  for (const link of find(body, 'a[href^="#"]')) {
    const address = link.getAttribute('href') ?? '';
    const [, back] = NOTE_BACK.exec(address) ?? [];
    const [, note] = NOTE.exec(address) ?? [];
    const paragraph = link.closest('p');
    if (back && paragraph) {
      link.remove();
      paragraph.setAttribute('data-note-text', back);
    } else if (note) {
      const mark = rename(link, 'data');
      mark.textContent = note;
      mark.setAttribute('data-note', note);
    }
  }
  for (const note of find(body, '[data-note-text]')) {
    const made = note.ownerDocument.createElement('figure');
    made.setAttribute('data-note-text', note.getAttribute('data-note-text') ?? '');
    note.parentNode?.insertBefore(made, note);
    moveChildren(note, made);
    note.remove();
  }
}

/** The largest heading is the title of the entry: a text that uses it has all its headings lowered. */
function lowerHeadings(body: HTMLElement): void {
  if (!has(body, 'h1')) return;
  for (const heading of find(body, 'h1, h2, h3, h4, h5, h6')) {
    rename(heading, `h${Math.min(6, Number(heading.nodeName.charAt(1)) + 1)}`);
  }
}

/**
 * Word processors keep spaces together that nobody meant to: a space that does not break stays only
 * between two words, where it may be meant.
 */
function tidySpaces(node: Node): void {
  for (const child of Array.from(node.childNodes)) {
    if (isText(child)) child.data = child.data.replaceAll(/(?<!\S)\u00A0|\u00A0(?!\S)/g, ' ').replaceAll(/[\u200B\uFEFF\uEC02\uEC03]/g, '');
    else if (!isElement(child, 'PRE')) tidySpaces(child);
  }
  if (isElement(node, 'P') && node.textContent?.trim() === '' && !has(node, 'img')) node.remove();
  else if (isElement(node, 'STRONG', 'EM', 'DEL') && node.textContent?.trim() === '') unwrap(node);
}
