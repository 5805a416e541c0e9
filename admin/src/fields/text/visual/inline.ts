/** The decorations within lines: emphasis, code, links, pictures, footnotes. */
import type { EditorState } from '@codemirror/state';
import type { SyntaxNode, SyntaxNodeRef } from '@lezer/common';
import { Address } from './address';
import { isDefined, readLink } from './links';
import type { Painter } from './painter';
import { readPicture } from './pictures';
import { PictureWidget } from './picture-widget';

type Paint = (painter: Painter, node: SyntaxNodeRef) => void;

/** The parts of a line, by the names that the grammar gives them. */
export const INLINE: Readonly<Record<string, Paint>> = {
  Emphasis: styled('cm-md-emphasis'),
  StrongEmphasis: styled('cm-md-strong'),
  Strikethrough: styled('cm-md-strikethrough'),
  InlineCode: styled('cm-md-inline-code'),
  EmphasisMark: paintSign,
  StrikethroughMark: paintSign,
  CodeMark: (painter, node) => {
    if (node.node.parent?.name === 'InlineCode') paintSign(painter, node);
  },
  Escape: (painter, { from, to }) => painter.sign(from, from + 1, painter.touches(from, to)),
  HardBreak: (painter, { from, to }) => painter.mark(from, to - 1, 'cm-md-break'),
  Entity: styled('cm-md-html'),
  HTMLTag: styled('cm-md-html'),
  Comment: styled('cm-md-html'),
  Link: paintLink,
  Autolink: paintAutolink,
  URL: paintAddress,
  Image: paintPicture,
  FootnoteReference: paintFootnote,
};

function styled(name: string): Paint {
  return (painter, { from, to }) => painter.mark(from, to, name);
}

function paintSign(painter: Painter, { from, to, node }: SyntaxNodeRef): void {
  const whole = node.parent;
  painter.sign(from, to, whole !== null && painter.touches(whole.from, whole.to));
}

function paintLink(painter: Painter, { node }: SyntaxNodeRef): void {
  const { state } = painter;
  const link = readLink(state, node);
  if (!link || !isDefined(state, link)) return;
  const touched = painter.touches(node.from, node.to);
  painter.mark(link.text.from, link.text.to, 'cm-md-link', { title: link.address });
  painter.sign(node.from, link.text.from, touched);
  if (!touched || !link.target || spansLines(state, link.target)) return painter.sign(link.text.to, node.to, touched);
  painter.sign(link.text.to, link.target.from, true);
  painter.replace(link.target.from, link.target.to, new Address(link.address));
  painter.sign(link.target.to, node.to, true);
}

function paintAutolink(painter: Painter, { from, to }: SyntaxNodeRef): void {
  const touched = painter.touches(from, to);
  painter.sign(from, from + 1, touched);
  painter.sign(to - 1, to, touched);
}

/** An address that stands for itself. */
function paintAddress(painter: Painter, { from, to, node }: SyntaxNodeRef): void {
  const { name } = node.parent ?? {};
  if (name !== 'Link' && name !== 'Image' && name !== 'LinkReference') painter.mark(from, to, 'cm-md-link');
}

function paintPicture(painter: Painter, { from, to, node }: SyntaxNodeRef): void {
  const picture = readPicture(painter.state, node);
  // Whoever is within it, by searching say, sees it as it stands.
  if (!picture || spansLines(painter.state, node) || (to - from > 1 && painter.touches(from + 1, to - 1))) return;
  painter.replace(from, to, new PictureWidget(picture, painter.touches(from, to)));
}

function paintFootnote(painter: Painter, { from, to, node }: SyntaxNodeRef): void {
  const touched = painter.touches(from, to);
  const opens = startsLine(painter.state, node) && painter.state.sliceDoc(to, to + 1) === ':';
  painter.mark(from, to, opens ? 'cm-md-footnote-name' : 'cm-md-footnote');
  painter.sign(from, from + 2, touched);
  painter.sign(to - 1, to, touched);
}

function startsLine(state: EditorState, { from }: SyntaxNode): boolean {
  return /^[\s>]*$/.test(state.sliceDoc(state.doc.lineAt(from).from, from));
}

function spansLines(state: EditorState, { from, to }: { from: number; to: number }): boolean {
  return state.doc.lineAt(from).to < to;
}
