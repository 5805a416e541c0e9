import { EditorSelection, EditorState, type StateCommand } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { markdown } from '~/code/markdown';
import {
  continueList, cycleHeading, insertLink, insertTable, toggleBullets, toggleCode, toggleMark, toggleNumbers,
  toggleQuote, toggleTasks,
} from './commands';

/** Runs a command on a text in which `[` and `]` stand where the selection does, `^` for a caret. */
function run(command: StateCommand, marked: string): string {
  const [from, to] = marked.includes('‹') ? [marked.indexOf('‹'), marked.indexOf('›') - 1] : [marked.indexOf('^'), marked.indexOf('^')];
  const doc = marked.replaceAll(/[‹›^]/g, '');
  let state = EditorState.create({ doc, selection: EditorSelection.range(from, to), extensions: markdown });
  const done = command({ state, dispatch: (transaction) => (state = transaction.state) });
  if (!done) return 'not done';
  const { main } = state.selection;
  const text = state.doc.toString();
  return main.empty
    ? `${text.slice(0, main.from)}^${text.slice(main.from)}`
    : `${text.slice(0, main.from)}‹${text.slice(main.from, main.to)}›${text.slice(main.to)}`;
}

const bold = toggleMark('**');
const italic = toggleMark('*');

describe('marks', () => {
  it.each([
    [bold, 'a ‹b› c', 'a **‹b›** c'],
    [bold, 'a **‹b›** c', 'a ‹b› c'],
    [bold, 'a ‹**b**› c', 'a ‹b› c'],
    [bold, 'wo^rd', '**wo^rd**'],
    [bold, 'a ^ b', 'a **^** b'],
    [italic, '‹b›', '*‹b›*'],
    [italic, '*‹b›*', '‹b›'],
    [italic, '**‹b›**', '***‹b›***'],
    [italic, '***‹b›***', '**‹b›**'],
    [bold, 'a‹ b ›c', 'a **‹b›** c'],
    [bold, '- ‹one\n- two›', '- ‹**one**\n- **two**›'],
    [bold, '‹- one\n\n> two ›', '‹- **one**\n\n> **two**› '],
    [bold, '‹**one**\ntwo›', '‹**one**\n**two**›'],
    [bold, '- ‹**one**\n- **two**›', '- ‹one\n- two›'],
    [bold, '**‹one\ntwo›**', '‹one\ntwo›'],
    [bold, 'a ‹ › b', 'a **‹ ›** b'],
  ] as const)('%#', (command, before, after) => {
    expect(run(command, before)).toBe(after);
  });
});

describe('lines', () => {
  it.each([
    [cycleHeading, 'te^xt', '## te^xt'],
    [cycleHeading, '## te^xt', '### te^xt'],
    [cycleHeading, '#### te^xt', 'te^xt'],
    [toggleBullets, '‹one\ntwo›', '- ‹one\n- two›'],
    [toggleBullets, '- ‹one\n- two›', '‹one\ntwo›'],
    [toggleBullets, '- [ ] on^e', '- on^e'],
    [toggleNumbers, '‹one\n\ntwo›', '1. ‹one\n\n2. two›'],
    [toggleTasks, '- on^e', '- [ ] on^e'],
    [toggleTasks, '- [x] on^e', 'on^e'],
    [toggleTasks, '^', '- [ ] ^'],
    [toggleQuote, '‹one\ntwo›', '> ‹one\n> two›'],
    [toggleQuote, '> ‹one\n> two›', '‹one\ntwo›'],
  ] as const)('%#', (command, before, after) => {
    expect(run(command, before)).toBe(after);
  });
});

describe('code, links and tables', () => {
  it.each([
    [toggleCode, 'a ‹b› c', 'a `‹b›` c'],
    [toggleCode, '‹a\nb›', '```^\na\nb\n```\n'],
    [toggleCode, 'x\n‹```\nb›', 'x\n\n````^\n```\nb\n````\n'],
    [insertLink, 'a ‹b› c', 'a [b](‹https://›) c'],
    [insertLink, '‹https://x.org›', '[^](https://x.org)'],
    [insertLink, '^', '[](‹https://›)'],
    [insertTable('Head'), 'text^', 'text\n\n| ‹Head› | Head |\n| ---- | ---- |\n|      |      |\n'],
  ] as const)('%#', (command, before, after) => {
    expect(run(command, before)).toBe(after);
  });
});

describe('enter', () => {
  it.each([
    ['- one^', '- one\n- ^'],
    ['* one^ two', '* one\n* ^ two'],
    ['9. one^', '9. one\n10. ^'],
    ['  - [x] one^', '  - [x] one\n  - [ ] ^'],
    ['> one^', '> one\n> ^'],
    ['- one\n- ^', '- one\n^'],
    ['> ^', '^'],
    ['text^', 'not done'],
    ['^- one', 'not done'],
    ['‹- one›', 'not done'],
    ['```\n- one^\n```', 'not done'],
  ])('%j', (before, after) => {
    expect(run(continueList, before)).toBe(after);
  });
});

it('changes nothing that may not be changed', () => {
  const state = EditorState.create({ doc: 'a', extensions: EditorState.readOnly.of(true) });
  for (const command of [bold, cycleHeading, toggleCode, insertLink, insertTable('x'), continueList]) {
    expect(command({ state, dispatch: () => expect.unreachable() })).toBe(false);
  }
});
