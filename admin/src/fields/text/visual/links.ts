/** Links in the text: their parts, and the changes that their editor makes. */
import { syntaxTree } from '@codemirror/language';
import type { ChangeSpec, EditorState, Text } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { formatDestination } from '../insert/syntax';

interface Part {
  from: number;
  to: number;
}

/** A link as it stands in the text. */
export interface Link extends Part {
  text: Part;
  address: string;
  /** Address and title, where the link has them itself. */
  target?: Part;
  /** The name of the definition that has the address. */
  label?: string;
}

/** Reads a link; nothing of one that has no text. */
export function readLink(state: EditorState, node: SyntaxNode): Link | undefined {
  const { from, to } = node;
  if (node.name === 'URL' || node.name === 'Autolink') {
    const url = node.name === 'URL' ? node : node.getChild('URL');
    const text = { from: url?.from ?? from, to: url?.to ?? to };
    return { from, to, text, address: withScheme(state.sliceDoc(text.from, text.to)) };
  }
  const [open, close] = node.getChildren('LinkMark');
  if (node.name !== 'Link' || !open || !close) return undefined;
  const text = { from: open.to, to: close.from };
  if (text.from === text.to) return undefined;
  const [url, title, label] = [node.getChild('URL'), node.getChild('LinkTitle'), node.getChild('LinkLabel')];
  if (url) return { from, to, text, address: readAddress(state, url), target: { from: url.from, to: title?.to ?? url.to } };
  const inner = state.sliceDoc(text.from, text.to);
  if (state.sliceDoc(close.to, close.to + 2) === '()') return { from, to, text, address: '', target: { from: close.to + 1, to: close.to + 1 } };
  const name = normalize(label ? state.sliceDoc(label.from + 1, label.to - 1) || inner : inner);
  return { from, to, text, address: definitions(state.doc).get(name) ?? '', label: name };
}

/** Checks whether a link leads anywhere: words in brackets alone are no link. */
export function isDefined({ doc }: EditorState, { label }: Link): boolean {
  return label === undefined || definitions(doc).has(label);
}

/** Finds the link that a place is in or at. */
export function findLink(state: EditorState, place: number): Link | undefined {
  for (const side of [-1, 1] as const) {
    for (let node: SyntaxNode | null = syntaxTree(state).resolveInner(place, side); node; node = node.parent) {
      if (!['Link', 'Autolink', 'URL'].includes(node.name)) continue;
      if (node.name === 'URL' && /^(?:Link|Image|LinkReference|Autolink)$/.test(node.parent?.name ?? '')) continue;
      const link = readLink(state, node);
      if (link && isDefined(state, link)) return link;
    }
  }
  return undefined;
}

/** The address of a link or a picture, without the signs around it. */
export function readAddress(state: EditorState, url: SyntaxNode): string {
  return unescape(state.sliceDoc(url.from, url.to).replace(/^<(.*)>$/, '$1'));
}

/** Takes the backslashes away that keep signs from meaning something. */
export function unescape(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
}

function withScheme(address: string): string {
  if (/^[\w.+-]+@/.test(address)) return `mailto:${address}`;
  return /^www\./i.test(address) ? `https://${address}` : address;
}

function normalize(label: string): string {
  return label.trim().toLowerCase().replaceAll(/\s+/g, ' ');
}

const DEFINITION = /^ {0,3}\[([^\]\n^][^\]\n]*)\]:[ \t]*(<[^>\n]*>|\S+)/gm;
const known = new WeakMap<Text, ReadonlyMap<string, string>>();

/** The addresses that a text defines by name; the first definition of a name counts. */
export function definitions(doc: Text): ReadonlyMap<string, string> {
  let found = known.get(doc);
  if (found) return found;
  const read = new Map<string, string>();
  for (const [, label = '', address = ''] of doc.toString().matchAll(DEFINITION)) {
    const name = normalize(label);
    if (!read.has(name)) read.set(name, unescape(address.replace(/^<(.*)>$/, '$1')));
  }
  found = read;
  known.set(doc, found);
  return found;
}

/** The change that gives a link another text and address. Only what differs is changed. */
export function changeLink(state: EditorState, link: Link, text: string, address: string): ChangeSpec[] {
  const changes: ChangeSpec[] = [];
  const before = state.sliceDoc(link.text.from, link.text.to);
  // An address that stands for itself becomes a link with a text.
  if (!link.target) {
    if (text === before && address === link.address) return [];
    return [{ from: link.from, to: link.to, insert: `[${text}](${formatDestination(address)})` }];
  }
  if (text !== before) changes.push({ ...link.text, insert: text });
  if (address !== link.address) {
    const title = /\s+["'(].*$/s.exec(state.sliceDoc(link.target.from, link.target.to).replace(/^<[^>]*>/, ''))?.[0] ?? '';
    changes.push({ from: link.target.from, to: link.target.to - title.length, insert: formatDestination(address) });
  }
  return changes;
}

/** The change that leaves the text of a link alone, without its address. */
export function removeLink({ from, to, text }: Link): ChangeSpec[] {
  return [
    { from, to: text.from },
    { from: text.to, to },
  ];
}
