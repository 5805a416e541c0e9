/** The decorations of blocks: headings, code, HTML, lines between parts, definitions. */
import { WidgetType } from '@codemirror/view';
import type { SyntaxNodeRef } from '@lezer/common';
import type { Painter } from './painter';

interface Seen {
  from: number;
  to: number;
}

type Paint = (painter: Painter, node: SyntaxNodeRef, seen: Seen) => void;

/** The blocks, by the names that the grammar gives them. */
export const BLOCKS: Readonly<Record<string, Paint>> = {
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((size) => [`ATXHeading${size}`, heading(size)])),
  ...Object.fromEntries([1, 2].map((size) => [`SetextHeading${size}`, heading(size)])),
  HeaderMark: paintHeaderMark,
  FencedCode: paintFence,
  CodeBlock: lines('cm-md-code'),
  HTMLBlock: lines('cm-md-code cm-md-html-block'),
  CommentBlock: lines('cm-md-code cm-md-html-block'),
  ProcessingInstructionBlock: lines('cm-md-code cm-md-html-block'),
  HorizontalRule: paintRule,
  LinkReference: paintDefinition,
  Table: lines('cm-md-table'),
};

function heading(size: number): Paint {
  return (painter, { from, to }, seen) => painter.linesOf(from, to, seen, () => `cm-md-heading cm-md-heading-${size}`);
}

/** The signs of a heading show where its line is written; the space after them belongs to them. */
function paintHeaderMark(painter: Painter, { from, to, node }: SyntaxNodeRef): void {
  const { state } = painter;
  const line = state.doc.lineAt(from);
  const parent = node.parent;
  const touched = parent !== null && painter.touches(parent.from, parent.to);
  if (parent?.name.startsWith('Setext')) {
    painter.line(line.from, 'cm-md-underline');
    return painter.sign(from, to, touched);
  }
  const closes = parent !== null && from > parent.from;
  const space = (closes ? /[ \t]*$/.exec(state.sliceDoc(line.from, from)) : /^[ \t]*/.exec(state.sliceDoc(to, line.to)))?.[0].length ?? 0;
  painter.sign(closes ? from - space : from, closes ? to : to + space, touched);
}

function lines(names: string): Paint {
  return (painter, { from, to }, seen) =>
    painter.linesOf(from, to, seen, (first, last) => `${names}${first ? ' cm-md-first' : ''}${last ? ' cm-md-last' : ''}`);
}

/** A code block: its fences show where it is written, otherwise the first has the name of the language. */
function paintFence(painter: Painter, { from, to, node }: SyntaxNodeRef, seen: Seen): void {
  const { state } = painter;
  lines('cm-md-code cm-md-fenced')(painter, node, seen);
  const touched = painter.touches(from, to);
  const [open, ...others] = node.getChildren('CodeMark');
  const info = node.getChild('CodeInfo');
  if (!open) return;
  painter.line(state.doc.lineAt(from).from, 'cm-md-fence');
  painter.sign(open.from, info?.from ?? open.to, touched);
  if (info) painter.mark(info.from, info.to, 'cm-md-language', { spellcheck: 'false' });
  const close = others.at(-1);
  if (!close) return;
  painter.line(state.doc.lineAt(close.from).from, 'cm-md-fence');
  painter.sign(close.from, close.to, touched);
}

function paintRule(painter: Painter, { from, to }: SyntaxNodeRef): void {
  const line = painter.state.doc.lineAt(from);
  if (painter.touches(line.from, line.to)) painter.mark(from, to, 'cm-md-sign');
  else painter.replace(from, to, RULE);
}

/** `[name]: address`, and footnotes of one word, which the grammar takes for the same. */
function paintDefinition(painter: Painter, { from, to, node }: SyntaxNodeRef, seen: Seen): void {
  const label = node.getChild('LinkLabel');
  if (!label || !painter.state.sliceDoc(from, to).startsWith('[^')) {
    return painter.linesOf(from, to, seen, () => 'cm-md-definition');
  }
  const touched = painter.touches(label.from, label.to);
  painter.mark(label.from, label.to, 'cm-md-footnote-name');
  painter.sign(label.from, label.from + 2, touched);
  painter.sign(label.to - 1, label.to, touched);
}

class Rule extends WidgetType {
  override eq(): boolean {
    return true;
  }

  override toDOM(): HTMLElement {
    const element = document.createElement('span');
    element.className = 'cm-md-rule';
    element.setAttribute('role', 'separator');
    return element;
  }
}

const RULE = new Rule();
