import { ensureSyntaxTree } from '@codemirror/language';
import { Compartment, EditorState } from '@codemirror/state';
import type { Decoration } from '@codemirror/view';
import { describe, expect, it, vi } from 'vitest';
import { keepLineEnds, textOf } from '~/code/line-ends';
import { markdownProse, markdownSource } from '~/code/languages';
import { paint } from './decorations';
import { visualKeys } from './keys';
import { toggleTask } from './tasks';
import { visualExtensions } from './visual';

vi.mock('~/base', () => ({ BASE: '', NONCE: '', withBase: (path: string) => path }));

/** Texts of every construct of CommonMark and GFM, also in their odd forms. */
const FIXTURES = [
  '', '\n', ' ', '\t', 'a', 'a\n', 'a  \nb\\\nc', '\u00a0a\u200bb\u2028c',
  '# a\n## b ##\n   ### c\n####### d\n#\n# \n#\tx', 'a\n===\nb\n---\n\na\nb\n = =\n',
  '---\n***\n _ _ _\n- - -', '---\ntitle: a\n---\n\nb', '+++\na\n+++',
  '- a\n- b\n\n\n- c', '* a\n+ b\n- c', '1. a\n2) b\n10. c\n123456789. d', '- a\n   - b\n      - c\n\td', '-\n-   \n- a', '- - - a',
  '- [ ] a\n- [x] b\n- [X] c\n-  [ ] d\n1. [ ] e\n- [ ]f', '10) a\n\n    b\n\n  c', '-\ta\n\n\tb', '-     code',
  '> a\nb\n> c', '>a\n> > b\n>>> c\n\n> - a\n>   b\n> ```\n> c\n> ```', '> \n>\n>  a', '   > a\n    > b',
  '    code\n\n    more\n\tend', '```\na\n```\n~~~~ json { x\n{"a": [1, null]}\n~~~~\n', '```html\n<p class="a">', '``` a`b\n```', '- ```\n  a\n   b\n  ```',
  '<div>\n*a*\n</div>\n\n<!-- a\n\nb -->\n<?x ?>\n<![CDATA[\n]]>', 'a <b c="d">e</b> <!-- f --> <x@y.de> <http://a.b>',
  '*a* **b** ***c*** _d_ __e__ *a**b*c** **a*', '~~a~~ ~b~ `c` `` d`e `` `f', String.raw`\*a\* \[b\] \\ \
&amp; &#35; &nope;`,
  '[a](b) [c](<d e> "f") [g](h \'i\') [j](k (l)) []() [](m) [n]( o )', '[a][b] [c][] [d] [e]: f\n\n[b]: </x y> "t"\n[c]: /c\n  "t"\n[D]: <>',
  '[a\nb](c\n"d\ne") ![f\ng](h) [![i](j)](k) [l [m] n](o) [p](q\\) r)', '![](a) ![b]() ![c][d] ![e](/f "g\\"h") text ![i](j) text',
  '|a|b|\n|-|:-:|\n|1|2|3|\n|`x|y`|\n', 'a | b\n- | -\n1 \\| 2 | 3\n\nx', '| a |\n| - |', 'www.a.de http://b.de/c?d=e&f. g@h.de',
  'a[^1] b[^x y] [^2]: c\n\n[^1]: d\n    e\n[^2]:\n[^3]: /f', '$a$ {{b}} :c: ==d== a^b^ ~c~', '\\\n*\n_\n`\n[\n]\n!\n<\n>\n&\n#',
  'ä 日本語 🙂 e\u0301 \u202Eabc', '# שלום\n\n- مرحبا',
];

const PIECES = [
  'a', 'word ', ' ', '  ', '\t', '\n', '\n\n', '\r\n', '*', '**', '_', '~~', '`', '```', '```json\n', '> ', '- ', '1. ', '[ ] ', '[x] ', '# ', '## ', '[', ']', '(',
  ')', '](', '![', '<', '>', 'http://a.de', '/b "c"', '[^1]', ': ', '|', '|-|-|\n', '---', '===', '\\', '&amp;', '<b>', '<!--', '-->', '🙂', '{"a":1}', '    ',
];

function numbers(seed: number): (below: number) => number {
  let state = seed * 7919;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const generated = Array.from({ length: 150 }, (_, seed) => {
  const next = numbers(seed + 1);
  return Array.from({ length: 1 + next(50) }, () => PIECES[next(PIECES.length)]).join('');
});
const crlf = FIXTURES.map((it) => it.replaceAll('\n', '\r\n'));
const TEXTS = [...FIXTURES, ...crlf, ...generated];

const look = new Compartment();

function open(text: string): EditorState {
  const state = EditorState.create({ doc: text, extensions: [markdownProse, look.of(visualExtensions()), keepLineEnds(text)] });
  ensureSyntaxTree(state, state.doc.length, 5000);
  return state;
}

/** The numbers of the lines in which two texts differ; all line ends are the same. */
function changedLines(before: string, after: string): number[] {
  const ends = /\r\n|\r|\n/g;
  expect(after.match(ends)).toEqual(before.match(ends));
  const lines = after.split(ends);
  return before.split(ends).flatMap((it, index) => (it === lines[index] ? [] : [index + 1]));
}

describe('texts', () => {
  it('stay as they are when they are looked at in both looks', () => {
    for (const text of TEXTS) {
      let state = open(text);
      for (const extension of [markdownSource, visualExtensions(), markdownSource]) {
        state = state.update({ effects: look.reconfigure(extension), selection: { anchor: state.doc.length } }).state;
      }
      expect(textOf(state)).toBe(text);
    }
  });

  it('are decorated within their lines, wherever the caret is', () => {
    for (const text of TEXTS) {
      const state = open(text);
      const { length } = state.doc;
      for (const caret of [undefined, 0, Math.floor(length / 3), Math.floor(length / 2), length]) {
        const seen = caret === undefined ? [{ from: 0, to: length }] : [{ from: Math.min(caret, length), to: length }];
        const { decorations } = paint(state, seen, (from, to) => caret !== undefined && caret >= from && caret <= to);
        decorations.between(0, length, (from, to, value: Decoration) => {
          if (from < to) expect(state.doc.lineAt(from).to, JSON.stringify([text, value.spec])).toBeGreaterThanOrEqual(value.spec.class ? from : to);
        });
      }
    }
  });

  it('change in the line alone that is written in', () => {
    for (const text of TEXTS) {
      const state = open(text);
      for (let number = 1; number <= state.doc.lines; number += 3) {
        const line = state.doc.line(number);
        const after = textOf(state.update({ changes: { from: line.to, insert: 'x' }, userEvent: 'input.type' }).state);
        expect(changedLines(text, after), JSON.stringify(text)).toEqual([number]);
      }
    }
  });

  it('change in the line alone whose task is done', () => {
    for (const text of TEXTS) {
      const state = open(text);
      for (const { length } = state.doc, step = { at: 0 }; step.at <= length; step.at += 7) {
        let after = state.update({ selection: { anchor: step.at } }).state;
        if (!toggleTask({ state: after, dispatch: (it) => (after = it.state) })) continue;
        expect(changedLines(text, textOf(after))).toEqual([state.doc.lineAt(step.at).number]);
        expect(textOf(after).length).toBe(text.length);
      }
    }
  });
});

describe('keys at the beginning of words', () => {
  it.each([
    ['Backspace', '- ¦a', 'a'],
    ['Backspace', '- a\n- ¦b', '- a\n\nb'],
    ['Backspace', '- [ ] ¦a', 'a'],
    ['Backspace', '- a\n  - ¦b', '- a\n\n  b'],
    ['Backspace', '> ¦a', 'a'],
    ['Backspace', '> a\n> ¦b', '> a\n\nb'],
    ['Backspace', '## ¦a', 'a'],
    ['Backspace', 'a¦', undefined],
    ['Delete', '- a¦\n- b', '- ab'],
    ['Delete', '> a¦\n> b', '> ab'],
    ['Tab', '- a\n- ¦b\n  c', '- a\n  - b\n    c'],
    ['Tab', '1. a\n2. ¦b', '1. a\n   2. b'],
    ['Tab', '- ¦a', undefined],
    ['Tab', '- a\n- b¦', undefined],
    ['Shift-Tab', '- a\n  - ¦b\n    c', '- a\n- b\n  c'],
    ['Shift-Tab', '> - a\n>   - ¦b', '> - a\n> - b'],
    ['Shift-Tab', '- ¦a', undefined],
  ])('%s in %j', (key, marked, after) => {
    const text = marked.replace('¦', '');
    let state = open(text).update({ selection: { anchor: marked.indexOf('¦') } }).state;
    const name = key.replace('Shift-', '');
    const binding = visualKeys.find((it) => it.key === name);
    const run = (key === name ? binding?.run : binding?.shift) as unknown as typeof toggleTask;
    const target = { state, dispatch: (it: { state: EditorState }) => (state = it.state), contentDOM: { querySelectorAll: () => [] } };
    expect(run(target) ? state.doc.toString() : undefined).toBe(after);
  });

  it.each([
    ['left leads to the line above', 'a\n- ¦b', 2, 1],
    ['right leads into the words', 'a¦\n- b', 2, 4],
    ['a step into the signs', '- ¦b', 1, 2],
    ['nothing hidden', 'a¦b', 0, 0],
  ])('%s', (_name, marked, to, arrives) => {
    const state = open(marked.replace('¦', '')).update({ selection: { anchor: marked.indexOf('¦') } }).state;
    expect(state.update({ selection: { anchor: to }, userEvent: 'select' }).state.selection.main.head).toBe(arrives);
  });
});
