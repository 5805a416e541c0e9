/** Links and pictures in pasted HTML: which addresses stay, and what becomes of the others. */
import { find, has, isElement, isText, unwrap } from './dom';

const KEPT = /^(?:https?:|mailto:|tel:|recto:|\/(?!\/))/i;

/** Gives an address that shows an entry in this interface as a reference to the entry, and any other back. */
export type NameEntry = (address: string) => string;

/** Returns where a link really leads: without the redirect through which a search engine counts clicks. */
export function unwrapRedirect(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const isGoogle = /(^|\.)google\.[a-z.]{2,6}$/.test(url.hostname) && url.pathname === '/url';
  const target = isGoogle ? (url.searchParams.get('q') ?? url.searchParams.get('url')) : null;
  return target && /^https?:\/\//i.test(target) ? target : address;
}

/** Keeps the links that lead somewhere from a site as well: not scripts, files of a disk or places of the old page. */
export function cleanLinks(body: HTMLElement, nameEntry: NameEntry): void {
  for (const link of find(body, 'a')) {
    const address = nameEntry(unwrapRedirect((link.getAttribute('href') ?? '').trim()));
    if (!KEPT.test(address) || isEmpty(link)) {
      unwrap(link);
      continue;
    }
    link.setAttribute('href', address);
    const before = link.previousSibling;
    if (isText(before) && before.data.endsWith('!')) before.data = `${before.data.slice(0, -1)}${BANG}`;
  }
}

/** An exclamation mark before a link, which would make a picture of it. */
export const BANG = '\u{E001}';

function isEmpty(link: HTMLElement): boolean {
  return link.textContent?.trim() === '' && !has(link, 'img');
}

/** Makes the videos that a page shows in frames links of their own, as the editor writes them. */
export function linkFrames(body: HTMLElement): void {
  for (const frame of find(body, 'iframe')) {
    const address = frame.getAttribute('src') ?? '';
    if (!/^https?:\/\//i.test(address)) {
      frame.remove();
      continue;
    }
    const link = frame.ownerDocument.createElement('a');
    const paragraph = frame.ownerDocument.createElement('p');
    link.setAttribute('href', watchAddress(address));
    link.textContent = watchAddress(address);
    paragraph.appendChild(link);
    frame.parentNode?.replaceChild(paragraph, frame);
  }
}

/** The page of a video, for the address that frames show it by. */
function watchAddress(address: string): string {
  const id = /^https?:\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(address)?.[1];
  if (id) return `https://www.youtube.com/watch?v=${id}`;
  const vimeo = /^https?:\/\/player\.vimeo\.com\/video\/(\d+)/.exec(address)?.[1];
  return vimeo ? `https://vimeo.com/${vimeo}` : address;
}

/** A picture whose bytes are on the clipboard. `token` stands for its address in the text. */
export interface PastedPicture {
  token: string;
  file: File;
}

/** The pictures of a pasted text, by what can be done about them. */
export interface PictureFindings {
  pasted: PastedPicture[];
  /** Those that stay where they are, on another site. */
  remote: number;
  /** Those that the clipboard only names, by a path on somebody's disk. */
  lost: number;
}

/** Finds the pictures: those with bytes get a token, those elsewhere stay, those that cannot be had go. */
export function findPictures(body: HTMLElement): PictureFindings {
  const findings: PictureFindings = { pasted: [], remote: 0, lost: 0 };
  for (const picture of find(body, 'img')) {
    const source = (picture.getAttribute('src') ?? '').trim();
    if (isTiny(picture)) picture.remove();
    else if (/^https?:\/\//i.test(source)) findings.remote += 1;
    else if (/^\/(?!\/)/.test(source)) continue;
    else {
      const file = decodePicture(source, findings.pasted.length + 1);
      if (file) {
        const token = `pasted:${findings.pasted.length + 1}`;
        findings.pasted.push({ token, file });
        picture.setAttribute('src', token);
      } else {
        findings.lost += 1;
        picture.remove();
      }
    }
  }
  return findings;
}

/** Pixels that count readers are no pictures. */
function isTiny(picture: HTMLElement): boolean {
  const size = (name: string) => Number.parseFloat(picture.getAttribute(name) ?? '100');
  return isElement(picture, 'IMG') && (size('width') <= 2 || size('height') <= 2);
}

const ENDINGS: Readonly<Record<string, string>> = { 'image/jpeg': 'jpg', 'image/svg+xml': 'svg' };

/** The picture in a `data:` address. It is decoded by hand: the policy lets the page fetch none. */
function decodePicture(address: string, number: number): File | undefined {
  const [, type = '', data = ''] = /^data:(image\/[\w.+-]+);base64,([A-Za-z0-9+/=\s]+)$/.exec(address) ?? [];
  if (!type) return undefined;
  try {
    const bytes = Uint8Array.from(atob(data.replaceAll(/\s/g, '')), (it) => it.charCodeAt(0));
    return new File([bytes], `pasted-${number}.${ENDINGS[type] ?? type.slice('image/'.length)}`, { type });
  } catch {
    return undefined;
  }
}
