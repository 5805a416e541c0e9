/** The changes that the toolbar and the keys of the Markdown editor make to the text. */
import { syntaxTree } from '@codemirror/language';
import { type ChangeSpec, EditorSelection, type EditorState, type StateCommand, type Text } from '@codemirror/state';
import { type Place, withoutBlanks } from './insert/place';

/**
 * Puts signs around what is selected, or takes them away: `**bold**`. Nothing selected: around the word.
 * Signs hold neither beside blanks nor across blocks: each line has its own, around its words.
 */
export function toggleMark(mark: string): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const change = state.changeByRange((range) => {
      const whole = range.empty ? (state.wordAt(range.head) ?? range) : withoutBlanks(state, range);
      const isMarked = (it: Place) => around(state, it, mark) || within(state, it, mark);
      const parts = isMarked(whole) && !isMixed(state, whole, mark) ? [whole] : wordsOfLines(state, whole);
      const open = parts.filter((it) => !isMarked(it));
      const changes = state.changes(open.length > 0 ? open.flatMap((it) => put(it, mark)) : parts.flatMap((it) => take(state, it, mark)));
      if (range.empty) return { changes, range: EditorSelection.cursor(range.head + (open.length > 0 ? mark.length : -mark.length)) };
      // Of several lines, the signs are selected as well, so that they are found again.
      const [start, end] = parts.length > 1 ? [-1, 1] : [1, -1];
      return { changes, range: EditorSelection.range(changes.mapPos(whole.from, start), changes.mapPos(whole.to, end)) };
    });
    dispatch(state.update(change, { scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

/** Checks whether the signs of a place of several lines are those of different words in it. */
function isMixed({ doc }: EditorState, { from, to }: Place, mark: string): boolean {
  const text = doc.sliceString(from + mark.length, to - mark.length);
  return text.includes('\n') && text.includes(mark);
}

const LINE_SIGNS = /^[\s>]*(?:#{1,6}\s+|(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?)?/;

/** The words of each line in a place, without the signs at its beginning; the place itself if there are none. */
function wordsOfLines(state: EditorState, { from, to }: Place): Place[] {
  const parts: Place[] = [];
  for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
    const signs = LINE_SIGNS.exec(line.text)?.[0].length ?? 0;
    const part = { from: Math.max(from, line.from + signs), to: Math.min(to, line.to) };
    if (part.from < part.to) parts.push(withoutBlanks(state, part));
    if (line.to >= to) return parts.length > 0 ? parts : [{ from, to }];
  }
}

function put({ from, to }: Place, mark: string): ChangeSpec[] {
  return [
    { from, insert: mark },
    { from: to, insert: mark },
  ];
}

function take(state: EditorState, place: Place, mark: string): ChangeSpec[] {
  const outside = around(state, place, mark) ? mark.length : 0;
  const [from, to] = [place.from - outside, place.to + outside];
  return [
    { from, to: from + mark.length },
    { from: to - mark.length, to },
  ];
}

/** Checks whether the signs stand around a range, and are not part of longer ones (`*` of `**`). */
function around({ doc }: EditorState, { from, to }: Place, mark: string): boolean {
  const sign = mark.charAt(0);
  return (
    at(doc, from - mark.length, from) === mark &&
    at(doc, to, to + mark.length) === mark &&
    (mark.length > 1 || run(doc, from, sign, -1) !== 2)
  );
}

function within({ doc }: EditorState, { from, to }: Place, mark: string): boolean {
  const text = at(doc, from, to);
  if (text.length < 2 * mark.length || !text.startsWith(mark) || !text.endsWith(mark)) return false;
  return mark.length > 1 || run(doc, from, mark, 1) !== 2;
}

function at(doc: Text, from: number, to: number): string {
  return from < 0 || to > doc.length ? '' : doc.sliceString(from, to);
}

/** Counts the repetitions of a sign from a place on. */
function run(doc: Text, from: number, sign: string, step: 1 | -1): number {
  let length = 0;
  for (let place = step < 0 ? from - 1 : from; at(doc, place, place + 1) === sign; place += step) length += 1;
  return length;
}

const HEADING = /^(#{1,6})\s+/;
const LIST = /^(\s*)([-*+]|\d+[.)])\s+(\[[ xX]\]\s+)?/;
const QUOTE = /^>\s?/;

/** Text, heading, smaller heading, text again. The largest size is the title of the page. */
export const cycleHeading: StateCommand = changeLines((line) => {
  const size = HEADING.exec(line)?.[1]?.length ?? 0;
  const text = line.replace(HEADING, '');
  return size === 0 ? `## ${text}` : size < 4 ? `${'#'.repeat(size + 1)} ${text}` : text;
});

/** Makes the lines a list, or text again. */
export const toggleBullets = toggleList(() => '- ', /^\s*[-*+]\s+(?!\[[ xX]\])/);
export const toggleNumbers = toggleList((index) => `${index + 1}. `, /^\s*\d+[.)]\s+/);
export const toggleTasks = toggleList(() => '- [ ] ', /^\s*[-*+]\s+\[[ xX]\]\s+/);

function toggleList(marker: (index: number) => string, is: RegExp): StateCommand {
  return changeLines((line, index, all) => {
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const text = line.replace(LIST, '').trimStart();
    return all((it) => is.test(it)) ? indent + text : indent + marker(index) + text;
  });
}

/** Makes the lines a quotation, or text again. */
export const toggleQuote: StateCommand = changeLines((line, _, all) =>
  all((it) => QUOTE.test(it)) ? line.replace(QUOTE, '') : `> ${line}`,
);

type ChangeLine = (line: string, index: number, all: (test: (line: string) => boolean) => boolean) => string;

/** Changes every line that the selection touches; blank ones only when there are no others. */
function changeLines(change: ChangeLine): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const { doc, selection } = state;
    // A heading or a list in a row would be the end of the table.
    if (findAround(state, selection.main.head, TABLE)) return false;
    const [first, last] = [doc.lineAt(selection.main.from).number, doc.lineAt(selection.main.to).number];
    const touched = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index));
    const lines = touched.length > 1 ? touched.filter((it) => it.text.trim() !== '') : touched;
    const all = (test: (line: string) => boolean) => lines.every((it) => test(it.text));
    const changes = lines.map((line, index) => startChange(line.from, line.text, change(line.text, index, all)));
    const set = state.changes(changes);
    dispatch(
      state.update({ changes: set, selection: selection.map(set, 1), scrollIntoView: true, userEvent: 'input' }),
    );
    return true;
  };
}

/** Only the beginning of a line changes, so that the caret keeps its place in the words. */
function startChange(from: number, before: string, after: string): ChangeSpec {
  let same = 0;
  const shorter = Math.min(before.length, after.length);
  while (same < shorter && before[before.length - 1 - same] === after[after.length - 1 - same]) same += 1;
  return { from, to: from + before.length - same, insert: after.slice(0, after.length - same) };
}

/** Code: within a line in backquotes, of several lines in a fence. */
export const toggleCode: StateCommand = (target) => {
  const { state, dispatch } = target;
  const { from, to } = state.selection.main;
  const text = state.sliceDoc(from, to);
  if (!text.includes('\n')) return toggleMark('`')(target);
  if (state.readOnly) return false;
  const fence = '`'.repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map((it) => it.length + 1)));
  const { before, after } = blankAround(state, from, to);
  const insert = `${before}${fence}\n${text.replace(/\n$/, '')}\n${fence}${after}`;
  const caret = from + before.length + fence.length;
  dispatch(state.update({ changes: { from, to, insert }, selection: { anchor: caret }, scrollIntoView: true, userEvent: 'input' }));
  return true;
};

/** A link; what is selected is its text, or its address when it looks like one. */
export const insertLink: StateCommand = ({ state, dispatch }) => {
  if (state.readOnly) return false;
  const { from, to } = withoutBlanks(state, state.selection.main);
  const text = state.sliceDoc(from, to);
  const address = /^(https?:\/\/|mailto:)\S+$/.test(text);
  const insert = address ? `[](${text})` : `[${text}](https://)`;
  // The part that is still to be written is selected.
  const selection = address ? { anchor: from + 1 } : { anchor: from + text.length + 3, head: from + insert.length - 1 };
  dispatch(state.update({ changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: 'input' }));
  return true;
};

/** A table to be filled in, with its head in the language of the interface. */
export function insertTable(head: string): StateCommand {
  return ({ state, dispatch }) => {
    if (state.readOnly) return false;
    const { main } = state.selection;
    const to = findAround(state, main.to, TABLE)?.to ?? main.to;
    const { before, after } = blankAround(state, to, to);
    const cell = ' '.repeat(head.length);
    const rows = [`| ${head} | ${head} |`, `| ${'-'.repeat(head.length)} | ${'-'.repeat(head.length)} |`, `| ${cell} | ${cell} |`];
    const start = to + before.length + 2;
    dispatch(
      state.update({
        changes: { from: to, insert: before + rows.join('\n') + after },
        selection: { anchor: start, head: start + head.length },
        scrollIntoView: true,
        userEvent: 'input',
      }),
    );
    return true;
  };
}

/** Returns the empty lines that a block needs on either side. */
function blankAround({ doc }: EditorState, from: number, to: number): { before: string; after: string } {
  const [head, tail] = [doc.sliceString(Math.max(0, from - 2), from), doc.sliceString(to, to + 2)];
  const before = from === 0 || head === '\n\n' ? '' : head.endsWith('\n') ? (from === 1 ? '' : '\n') : '\n\n';
  const after = tail.startsWith('\n\n') ? '' : tail.startsWith('\n') || tail === '' ? '\n' : '\n\n';
  return { before, after };
}

const ITEM = /^(\s*(?:>\s?)*)(?:([-*+]|\d+[.)])(\s+)(\[[ xX]\]\s+)?)?/;

/** Enter in a list or a quotation begins its next item; in an empty item it ends the list. */
export const continueList: StateCommand = ({ state, dispatch }) => {
  const { main } = state.selection;
  if (state.readOnly || !main.empty || findAround(state, main.head, CODE)) return false;
  const line = state.doc.lineAt(main.head);
  const [all = '', indent = '', marker, space = ' ', task] = ITEM.exec(line.text) ?? [];
  const start = line.from + all.length;
  if ((!marker && !indent.includes('>')) || main.head < start) return false;
  if (line.text.slice(all.length).trim() === '') {
    dispatch(state.update({ changes: { from: line.from, to: line.to }, userEvent: 'delete' }));
    return true;
  }
  const next = marker ? nextMarker(marker) + space + (task ? '[ ] ' : '') : '';
  const insert = `\n${indent}${next}`;
  dispatch(
    state.update({
      changes: { from: main.head, insert },
      selection: { anchor: main.head + insert.length },
      scrollIntoView: true,
      userEvent: 'input',
    }),
  );
  return true;
};

function nextMarker(marker: string): string {
  const number = /^(\d+)(.)$/.exec(marker);
  return number ? `${Number(number[1]) + 1}${number[2]}` : marker;
}

const CODE = new Set(['FencedCode', 'CodeBlock']);
const TABLE = new Set(['Table']);

/** Returns the innermost part of the text of some kinds that a place is in. */
function findAround(state: EditorState, place: number, names: ReadonlySet<string>): { to: number } | undefined {
  for (let node: { name: string; to: number; parent: unknown } | null = syntaxTree(state).resolveInner(place, -1); node; ) {
    if (names.has(node.name)) return node;
    node = node.parent as typeof node;
  }
  return undefined;
}
