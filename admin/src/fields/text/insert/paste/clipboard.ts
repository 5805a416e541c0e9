/** Tells apart the things that people paste, by what they mean with them. */
import { parseAddress } from '../syntax';
import { disarmHtml } from './dom';

/** The ways to take what is pasted. */
export type Clip =
  | { kind: 'text' }
  | { kind: 'address'; address: string }
  | { kind: 'html'; html: string }
  | { kind: 'files'; files: readonly File[]; alt: string };

interface Clipboard {
  types: readonly string[];
  text: string;
  html: string;
  files: readonly File[];
}

/** A clipboard with more HTML is taken as text: the page would stand still while it is read. */
const HTML_MAX = 20 * 1024 * 1024;

/** Reads what a paste brings. */
export function readClipboard(data: DataTransfer): Clipboard {
  return { types: [...data.types], text: data.getData('text/plain'), html: data.getData('text/html'), files: [...data.files] };
}

/** Decides what is meant: programs put the same thing on the clipboard in several forms. */
export function classifyClip({ types, text, html, files }: Clipboard): Clip {
  const address = parseAddress(text);
  if (address) return { kind: 'address', address };
  // A picture that is copied in a browser comes with the HTML that shows it, a part of a text that is
  // copied in a word processor with a picture of it.
  if (files.length > 0 && (text.trim() === '' || html === '') && !hasWords(html)) return { kind: 'files', files, alt: altOf(html) };
  if (html === '' || html.length > HTML_MAX || types.includes('vscode-editor-data') || isCode(html)) return { kind: 'text' };
  return { kind: 'html', html };
}

function bodyOf(html: string): HTMLElement {
  return new DOMParser().parseFromString(disarmHtml(html), 'text/html').body;
}

function hasWords(html: string): boolean {
  return html !== '' && (bodyOf(html).textContent ?? '').trim() !== '';
}

function altOf(html: string): string {
  return html === '' ? '' : (bodyOf(html).querySelector('img')?.getAttribute('alt') ?? '').trim();
}

/** Checks whether HTML is the colours of a code editor: one element in a font of one width that keeps all spaces. */
function isCode(html: string): boolean {
  const fragment = html.replace(/^[\s\S]*?<body[^<>]*>/i, '').replace(/^(?:\s|<!--[\s\S]*?-->|<meta[^>]*>)+/i, '');
  const [tag = '', name = ''] = /^<(div|pre)\b[^>]*>/i.exec(fragment) ?? [];
  const isMonospace = /font-family:[^;"]*(?:mono|courier|consolas|menlo|monaco)/i.test(tag.replaceAll('&quot;', ''));
  return isMonospace && (name.toLowerCase() === 'pre' || /white-space:\s*pre/i.test(tag));
}
