/** Pictures in the text: their parts, and the changes that are made to them in place. */
import type { ChangeSpec, EditorState } from '@codemirror/state';
import type { SyntaxNode } from '@lezer/common';
import { readAddress, unescape } from './links';

interface Part {
  from: number;
  to: number;
}

/** A picture as it stands in the text. */
export interface Picture {
  alt: string;
  /** The title, which readers see as the caption. */
  caption: string;
  address: string;
}

/** Reads a picture that has its address itself. */
export function readPicture(state: EditorState, node: SyntaxNode): Picture | undefined {
  const parts = partsOf(node);
  if (!parts) return undefined;
  const { alt, url, title } = parts;
  return {
    alt: unescape(state.sliceDoc(alt.from, alt.to)),
    caption: title ? unescape(state.sliceDoc(title.from + 1, title.to - 1)) : '',
    address: readAddress(state, url),
  };
}

function partsOf(node: SyntaxNode): { alt: Part; url: SyntaxNode; title: Part | undefined } | undefined {
  const [open, close] = node.getChildren('LinkMark');
  const url = node.getChild('URL');
  if (!open || !close || !url) return undefined;
  return { alt: { from: open.to, to: close.from }, url, title: node.getChild('LinkTitle') ?? undefined };
}

/** The change that gives a picture another alternative text; nothing if there is no other. */
export function changeAlt(state: EditorState, node: SyntaxNode, text: string): ChangeSpec | undefined {
  const parts = partsOf(node);
  const alt = oneLine(text);
  if (!parts || readPicture(state, node)?.alt === alt) return undefined;
  return { ...parts.alt, insert: alt.replaceAll(/[[\]\\]/g, String.raw`\$&`) };
}

/** The change that gives a picture another caption. */
export function changeCaption(state: EditorState, node: SyntaxNode, text: string): ChangeSpec | undefined {
  const parts = partsOf(node);
  const caption = oneLine(text);
  if (!parts || readPicture(state, node)?.caption === caption) return undefined;
  const insert = caption === '' ? '' : ` "${caption.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return { from: parts.url.to, to: parts.title?.to ?? parts.url.to, insert };
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
