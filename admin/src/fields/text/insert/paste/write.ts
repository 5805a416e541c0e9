/** Writes cleaned HTML as Markdown, in the style in which the editor's own commands write it. */
import TurndownService from 'turndown';
import { type Alignment, cellSource, formatTable } from '../../table/format';
import { formatAutolink, formatDestination, formatPicture, parseAddress } from '../syntax';
import { BANG } from './addresses';
import { find, isElement, styleOf } from './dom';
import { codeText } from './structure';

/** Writes what an element of a cleaned document holds. */
export function writeMarkdown(body: HTMLElement): string {
  const service = new TurndownService({ headingStyle: 'atx', hr: '---', bulletListMarker: '-', codeBlockStyle: 'fenced', emDelimiter: '*', br: '\\' });
  service.escape = escapeText;
  const cells = new Map<HTMLElement, string>();
  for (const [name, rule] of Object.entries({ ...INLINE, ...BLOCK, ...tableRules(cells) })) service.addRule(name, rule);
  return service.turndown(body).replaceAll(BANG, String.raw`\!`);
}

type Rules = Readonly<Record<string, TurndownService.Rule>>;

const INLINE: Rules = {
  strong: { filter: 'strong', replacement: (content, node) => mark(content, '**', node) },
  emphasis: { filter: 'em', replacement: (content, node) => mark(content, '*', node) },
  struckOut: { filter: 'del', replacement: (content, node) => mark(content, '~~', node) },
  note: { filter: (node) => node.hasAttribute('data-note'), replacement: (_, node) => `[^${node.getAttribute('data-note')}]` },
  link: {
    filter: (node) => node.nodeName === 'A' && node.hasAttribute('href'),
    replacement: (content, node) => {
      const address = node.getAttribute('href') ?? '';
      if (node.textContent?.trim() === address && parseAddress(address)) return formatAutolink(address);
      return `[${content.replaceAll(/\s*\n\s*/g, ' ').trim()}](${formatDestination(address)})`;
    },
  },
  picture: {
    filter: 'img',
    replacement: (_, node) => formatPicture(node.getAttribute('alt') ?? '', node.getAttribute('src') ?? ''),
  },
};

const BLOCK: Rules = {
  paragraph: {
    filter: 'p',
    replacement: (content, node) => {
      const text = content.split('\n').map(escapeLineStart).join('\n');
      return isTight(node.parentElement) ? `\n${text}\n` : `\n\n${text}\n\n`;
    },
  },
  heading: {
    filter: ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'],
    replacement: (content, node) => {
      const text = content.replaceAll(/\\?\n/g, ' ').replace(/(?<=\s)(#+)$/, String.raw`\$1`).trim();
      return text === '' ? '' : `\n\n${'#'.repeat(Number(node.nodeName.charAt(1)))} ${text}\n\n`;
    },
  },
  list: {
    filter: ['ul', 'ol'],
    replacement: (content, node) => (isTight(node.parentElement) ? `\n${content}\n` : `\n\n${content}\n\n`),
  },
  item: { filter: 'li', replacement: writeItem },
  quotation: { filter: 'blockquote', replacement: (content) => `\n\n${trimLines(content).replaceAll(/^/gm, '> ').replaceAll(/^> $/gm, '>')}\n\n` },
  code: {
    filter: 'pre',
    replacement: (_, node) => {
      const text = codeText(node).replace(/\n$/, '');
      const fence = '`'.repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map((it) => it.length + 1)));
      return `\n\n${fence}${languageOf(node)}\n${text}\n${fence}\n\n`;
    },
  },
  noteText: {
    filter: (node) => node.hasAttribute('data-note-text'),
    replacement: (content, node) => `\n\n[^${node.getAttribute('data-note-text')}]: ${trimLines(content).replaceAll(/\n(?=.)/g, '\n    ')}\n\n`,
  },
};

function writeItem(content: string, item: HTMLElement): string {
  const list = item.parentElement;
  const index = list ? Array.from(list.children).indexOf(item) : 0;
  const start = Number(list?.getAttribute('start') ?? '1') || 1;
  const marker = isElement(list, 'OL') ? `${start + index}. ` : '- ';
  const task = item.getAttribute('data-task');
  const text = trimLines(content).replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(marker.length)}`);
  return `${marker}${task === null ? '' : `[${task}] `}${text}${item.nextElementSibling ? '\n' : ''}`;
}

/** Checks whether the parts of an item follow each other without empty lines: it has one paragraph, and perhaps lists. */
function isTight(item: HTMLElement | null): boolean {
  if (!isElement(item, 'LI')) return false;
  return Array.from(item.children).every((it, index) => isElement(it, 'UL', 'OL') || (index === 0 && it.nodeName === 'P'));
}

/** Puts signs around a text. They do not hold across paragraphs, nor at a punctuation mark amid words. */
function mark(content: string, sign: string, node: HTMLElement): string {
  if (content.trim() === '') return content;
  if (/\n{2,}/.test(content)) return content.split(/(\n{2,})/).map((it) => mark(it, sign, node)).join('');
  // The blanks at the ends stand outside of the signs already.
  const text = node.textContent ?? '';
  const before = /^\s/.test(text) ? '' : (node.previousSibling?.textContent?.slice(-1) ?? '');
  const after = /\s$/.test(text) ? '' : (node.nextSibling?.textContent?.slice(0, 1) ?? '');
  const [, head = '', inner = '', tail = ''] = /^((?:\\?[^\p{L}\p{N}\s\\*`[!~])*)(.*?)((?:\\?[^\p{L}\p{N}\s\\*`)~])*)$/su.exec(content) ?? [];
  if (inner === '') return content;
  const [cutHead, cutTail] = [head !== '' && /[\p{L}\p{N}]/u.test(before), tail !== '' && /[\p{L}\p{N}]/u.test(after)];
  return `${cutHead ? head : ''}${sign}${cutHead ? '' : head}${inner}${cutTail ? '' : tail}${sign}${cutTail ? tail : ''}`;
}

function tableRules(cells: Map<HTMLElement, string>): Rules {
  return {
    cell: {
      filter: ['td', 'th'],
      replacement: (content, node) => {
        cells.set(node, cellSource(content.replaceAll('\\\n', '\n').trim()));
        return '';
      },
    },
    row: { filter: ['tr', 'thead', 'tbody', 'tfoot'], replacement: () => '' },
    caption: { filter: 'caption', replacement: (content) => `\n\n${content}\n\n` },
    table: { filter: 'table', replacement: (content, node) => `${trimLines(content)}\n\n${writeTable(node, cells)}\n\n` },
  };
}

/** Markdown has no cells across others: the text stands in the first of them. */
function writeTable(table: HTMLElement, cells: ReadonlyMap<HTMLElement, string>): string {
  const rows: string[][] = [];
  const alignments: Alignment[] = [];
  const all = find(table, 'tr').filter((it) => it.closest('table') === table);
  for (const [at, row] of all.entries()) {
    const line = (rows[at] ??= []);
    let column = 0;
    for (const cell of find(row, 'td, th')) {
      if (cell.closest('tr') !== row) continue;
      while (line[column] !== undefined) column += 1;
      const text = cells.get(cell) ?? '';
      const [wide, high] = [spanOf(cell, 'colspan'), spanOf(cell, 'rowspan')];
      for (let down = 0; down < Math.min(high, all.length - at); down += 1) {
        for (let right = 0; right < wide; right += 1) (rows[at + down] ??= [])[column + right] = down + right === 0 ? (at === 0 ? withoutBold(text) : text) : '';
      }
      alignments[column] = alignmentOf(cell) ?? alignments[column] ?? 'none';
      column += wide;
    }
  }
  const width = Math.max(0, ...rows.map((it) => it.length));
  const filled = rows.map((row) => Array.from({ length: width }, (_, index) => row[index] ?? ''));
  return width === 0 ? '' : formatTable({ alignments: Array.from({ length: width }, (_, index) => alignments[index] ?? 'none'), rows: filled });
}

/** The head of a table is bold by itself. */
function withoutBold(text: string): string {
  return /^\*\*([^*]+)\*\*$/.exec(text)?.[1] ?? text;
}

function spanOf(cell: HTMLElement, name: string): number {
  return Math.min(100, Math.max(1, Number(cell.getAttribute(name) ?? '1') || 1));
}

function alignmentOf(cell: HTMLElement): Alignment | undefined {
  for (const element of [cell, cell.querySelector('p')]) {
    const said = element?.getAttribute('align') ?? (element && styleOf(element).get('text-align'));
    if (said === 'center' || said === 'right') return said;
  }
  return undefined;
}

function languageOf(pre: HTMLElement): string {
  const classes = [pre, pre.querySelector('code'), pre.parentElement].map((it) => it?.getAttribute('class') ?? '').join(' ');
  return /(?:language-|lang-|highlight-source-|brush:\s*)([\w+#-]+)/.exec(classes)?.[1] ?? '';
}

function trimLines(text: string): string {
  return text.replace(/^\n+/, '').replace(/\n+$/, '');
}

/** Escapes the signs that would mean something where they stand, and no others. */
export function escapeText(text: string): string {
  let escaped = text
    .replaceAll(/\\(?=[!-/:-@[-`{-~]|$)/g, String.raw`\\`)
    .replaceAll('`', '\\`')
    .replaceAll(/(?<!\s)\*|\*(?!\s|$)/g, String.raw`\*`)
    .replaceAll(/(?<![\p{L}\p{N}])_(?!\s)|(?<!\s)_(?![\p{L}\p{N}])/gu, String.raw`\_`)
    .replaceAll(/<(?=[A-Za-z/!?])/g, String.raw`\<`)
    .replaceAll(/&(?=#?\w+;)/g, String.raw`\&`);
  if (/\]\(|\]:|\]\[|\[\^|^\[[ xX]\]/.test(escaped)) escaped = escaped.replaceAll('[', String.raw`\[`);
  if (/~.*~/s.test(escaped)) escaped = escaped.replaceAll('~', String.raw`\~`);
  return escaped;
}

/** Escapes what would begin a heading, a list, a quotation or a line at the start of a line of text. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(\s*)(#{1,6}|[-+*])(?=\s|$)/, String.raw`$1\$2`)
    .replace(/^(\s*)(\d{1,9})([.)])(?=\s|$)/, String.raw`$1$2\$3`)
    .replace(/^(\s*)>/, String.raw`$1\>`)
    .replace(/^(\s*)(=+|-{2,})(?=\s*$)/, String.raw`$1\$2`);
}
