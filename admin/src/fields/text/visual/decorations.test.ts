import { ensureSyntaxTree } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import type { Decoration } from '@codemirror/view';
import { describe, expect, it, vi } from 'vitest';
import { markdown } from '~/code/markdown';
import { paint } from './decorations';

vi.mock('~/base', () => ({ BASE: '', NONCE: '', withBase: (path: string) => path }));

/** Returns a text as it is seen: without what is hidden, `◦` for a widget, the classes of lines and words asked for. */
function see(marked: string, names?: RegExp): string {
  const caret = marked.indexOf('¦');
  const doc = marked.replace('¦', '');
  const state = EditorState.create({ doc, extensions: markdown });
  ensureSyntaxTree(state, doc.length, 5000);
  const { decorations } = paint(state, [{ from: 0, to: doc.length }], (from, to) => caret >= from && caret <= to);
  const shown: { from: number; to: number; text: string }[] = [];
  const classes: string[] = [];
  decorations.between(0, doc.length, (from, to, value: Decoration) => {
    const { widget, class: name, attributes } = value.spec as { widget?: object; class?: string; attributes?: { class?: string } };
    const has = name ?? attributes?.class ?? '';
    if (names?.test(has)) classes.push(`${has.replaceAll('cm-md-', '')}: ${from === to ? state.doc.lineAt(from).text : doc.slice(from, to)}`);
    if (from < to && !has) shown.push({ from, to, text: widget ? '◦' : '' });
  });
  if (names) return classes.join('\n');
  let [text, place] = ['', 0];
  for (const { from, to, text: instead } of shown) {
    text += doc.slice(place, from) + instead;
    place = to;
  }
  return text + doc.slice(place);
}

describe('signs', () => {
  it.each([
    ['*a* **b** ~~c~~ `d`', 'a b c d'],
    ['*¦a* **b**', '*a* b'],
    ['*a*¦ **b**', '*a* b'],
    ['***a***', 'a'],
    ['## Head ##', 'Head'],
    ['## He¦ad', '## Head'],
    ['Head\n---', 'Head\n'],
    [String.raw`\*a\*`, '*a*'],
    ['a\n\n---\n\nb', 'a\n\n◦\n\nb'],
    ['a\n\n--¦-\n\nb', 'a\n\n---\n\nb'],
    ['```json\n{}\n```', 'json\n{}\n'],
    ['```json\n{¦}\n```', '```json\n{}\n```'],
    ['a[^1]\n\n[^1]: b', 'a1\n\n1: b'],
    ['a[^1]\n\n[^1]: b c', 'a1\n\n1: b c'],
    ['a *b c', 'a *b c'],
  ])('%j', (text, seen) => {
    expect(see(text)).toBe(seen);
  });
});

describe('links and pictures', () => {
  it.each([
    ['[a](/b "c")', 'a'],
    ['[¦a](/b "c")', '[a](◦)'],
    ['[a][b]\n\n[b]: /c', 'a\n\n[b]: /c'],
    // Nothing says where it leads.
    ['[a][b] [c]', '[a][b] [c]'],
    ['<https://a.de> https://b.de', 'https://a.de https://b.de'],
    ['![a](/b)', '◦'],
    ['¦![a](/b)', '◦'],
    ['![¦a](/b)', '![a](/b)'],
    ['[![a](/b)](/c)', '◦'],
    ['[a\nb](/c)', 'a\nb'],
    ['![a\nb](/c)', '![a\nb](/c)'],
  ])('%j', (text, seen) => {
    expect(see(text)).toBe(seen);
  });
});

describe('beginnings of lines', () => {
  it.each([
    ['- a\n- b', '◦a\n◦b'],
    ['- a\n  - b\n    c', '◦a\n◦b\nc'],
    ['1. a\n\n   b', '◦a\n\nb'],
    ['- [ ] a\n- [x] b', '◦a\n◦b'],
    ['> a\n> > b\nlazy', 'a\nb\nlazy'],
    ['> - a\n>   b', '◦a\nb'],
    ['- a\n\n  ```\n  code\n    more\n  ```', '◦a\n\n\ncode\n  more\n'],
    ['- a\n\n\tb', '◦a\n\nb'],
    ['- - a', '◦◦a'],
    ['-', '◦'],
  ])('%j', (text, seen) => {
    expect(see(text)).toBe(seen);
  });

  it('indent the lines of items', () => {
    expect(see('> - a', /quote/)).toBe('indented quote quote-1: > - a');
  });
});

describe('what is left alone', () => {
  it('is front matter', () => {
    expect(see('---\ntitle: *a*\n---\n\n*b*')).toBe('---\ntitle: *a*\n---\n\nb');
  });

  it('is no front matter when a line stands above a text', () => {
    expect(see('---\n\n*b*')).toBe('◦\n\nb');
  });
});
