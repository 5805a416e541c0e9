/** The text of a cell as readers see it: marks become what they mean. */
import { withBase } from '~/base';
import { markdown } from '~/code/markdown';
import { isPath } from '~/base';
import { cellText } from './format';

type SyntaxNode = ReturnType<typeof markdown.parser.parse>['topNode'];

const ELEMENTS: Readonly<Record<string, string>> = { StrongEmphasis: 'strong', Emphasis: 'em', Strikethrough: 's', InlineCode: 'code', Link: 'a' };
/** Signs that no reader sees. */
const SIGNS = new Set(['EmphasisMark', 'StrikethroughMark', 'CodeMark', 'LinkMark', 'URL', 'LinkTitle', 'LinkLabel']);
const MARKED = /[*_`~[\]<>\\]/;

/** Shows the source of a cell in an element. */
export function renderCell(target: HTMLElement, source: string): void {
  target.replaceChildren();
  if (!MARKED.test(source)) return target.append(source);
  // A backslash at the end would escape a pipe right behind it.
  const line = `| ${source} |`;
  const tree = markdown.parser.parse(`${line}\n|-|`);
  const cell = tree.topNode.getChild('Table')?.getChild('TableHeader')?.getChild('TableCell');
  if (!cell) return target.append(cellText(source));
  return render(target, cell, line);
}

function render(target: HTMLElement, node: SyntaxNode, line: string, from = node.from, to = node.to): void {
  let at = from;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    target.append(cellText(line.slice(at, child.from)));
    renderNode(target, child, line);
    at = child.to;
  }
  target.append(cellText(line.slice(at, to)));
}

function renderNode(target: HTMLElement, node: SyntaxNode, line: string): void {
  const text = line.slice(node.from, node.to);
  const bare = node.name === 'URL' && node.parent?.name !== 'Link' && node.parent?.name !== 'Image';
  if (SIGNS.has(node.name) && !bare) return;
  if (node.name === 'Image') return renderImage(target, node, line);
  if (node.name === 'Escape') return target.append(text.slice(1));
  if (node.name === 'HTMLTag' && /^<br\s*\/?>$/i.test(text)) return target.append(document.createElement('br'));
  const tag = ELEMENTS[node.name];
  if (!tag) return target.append(cellText(text));
  const element = document.createElement(tag);
  render(element, node, line);
  return target.append(element);
}

/** A picture of the site is shown; one of another host, which the page may not load, is named. */
function renderImage(target: HTMLElement, node: SyntaxNode, line: string): void {
  const address = node.getChild('URL');
  const url = address ? line.slice(address.from, address.to).replace(/^<|>$/g, '') : '';
  const alt = /^!\[((?:\\.|[^\]\\])*)\]/.exec(line.slice(node.from, node.to))?.[1] ?? '';
  if (!isPath(url)) return target.append(alt === '' ? url : alt);
  const image = document.createElement('img');
  image.src = withBase(url);
  image.alt = alt;
  return target.append(image);
}
