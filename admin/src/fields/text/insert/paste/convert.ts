/** Pasted HTML as Markdown; loaded with the first HTML that somebody pastes. */
import type { NameEntry, PictureFindings } from './addresses';
import { cleanPasted } from './clean';
import { disarmHtml } from './dom';
import { writeMarkdown } from './write';

/** The Markdown of a pasted text, and what became of its pictures. */
export interface Converted extends PictureFindings {
  text: string;
}

/** Converts the HTML of a clipboard. It is parsed into a document of its own, which loads and runs nothing. */
export function convertHtml(html: string, nameEntry: NameEntry): Converted {
  return convertDocument(new DOMParser().parseFromString(disarmHtml(html), 'text/html'), nameEntry);
}

/** Converts a parsed document, which it changes. */
export function convertDocument(parsed: Document, nameEntry: NameEntry): Converted {
  const pictures = cleanPasted(parsed.body, nameEntry);
  return { ...pictures, text: writeMarkdown(parsed.body) };
}

/** Puts the addresses of uploaded pictures where their tokens stand; a picture without an address goes. */
export function placePictures(text: string, addresses: ReadonlyMap<string, string | undefined>): string {
  let placed = text;
  for (const [token, address] of addresses) {
    placed = placed.replaceAll(`](${token})`, () => `](${address ?? 'pasted:gone'})`);
  }
  return placed.replaceAll(/!\[(?:[^\]\\]|\\.)*\]\(pasted:gone\)\n*/g, '').trimEnd();
}
