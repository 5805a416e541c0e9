import { history, redo, undo } from '@codemirror/commands';
import { EditorState, type TransactionSpec } from '@codemirror/state';
import { describe, expect, it } from 'vitest';
import { keepLineEnds, takeLineEnds, textOf } from './line-ends';

const CHARACTERS = ['a', 'b', ' ', '\t', '\n', '\r\n', '\r', '\n\n', '\r\n\r\n'];

/** A sequence of numbers that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function generate(next: (below: number) => number): string {
  return Array.from({ length: next(40) }, () => CHARACTERS[next(CHARACTERS.length)]).join('');
}

class Editing {
  state: EditorState;

  constructor(text: string) {
    this.state = EditorState.create({ doc: text, extensions: [history({ newGroupDelay: 0 }), keepLineEnds(text)] });
  }

  change(spec: TransactionSpec) {
    this.state = this.state.update(spec).state;
    return this;
  }

  run(command: typeof undo) {
    command({ state: this.state, dispatch: (it) => (this.state = it.state) });
    return this;
  }

  get text() {
    return textOf(this.state);
  }
}

describe('line ends', () => {
  it('are those of the text, whatever they are', () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const text = generate(numbers(seed));
      expect(new Editing(text).text).toBe(text);
    }
  });

  it.each([
    ['in a line, others stay', 'one\r\ntwo\r\n', { from: 5, insert: 'X' }, 'one\r\ntXwo\r\n'],
    ['at the end of a line', 'one\r\ntwo\r\n', { from: 3, insert: 'X' }, 'oneX\r\ntwo\r\n'],
    ['at the start of a line', 'one\r\ntwo\r\n', { from: 4, insert: 'X' }, 'one\r\nXtwo\r\n'],
    ['a new line ends as most do', 'one\r\ntwo\r\n', { from: 3, insert: '\nX' }, 'one\r\nX\r\ntwo\r\n'],
    ['a new line among line feeds', 'one\ntwo\nthree\r\n', { from: 3, insert: '\nX' }, 'one\nX\ntwo\nthree\r\n'],
    ['lines become one', 'one\r\ntwo\nthree', { from: 3, to: 4 }, 'onetwo\nthree'],
    ['mixed ends stay mixed', 'one\r\ntwo\rthree\nfour', { from: 0, insert: 'X' }, 'Xone\r\ntwo\rthree\nfour'],
    ['a line end is replaced', 'one\r\ntwo', { from: 3, to: 4, insert: ' ' }, 'one two'],
    ['all is replaced', 'one\r\ntwo\r\n', { from: 0, to: 8, insert: 'a\nb' }, 'a\r\nb'],
  ])('%s', (_name, text, changes, after) => {
    const editing = new Editing(text).change({ changes });
    expect(editing.text).toBe(after);
    expect(editing.run(undo).text).toBe(text);
    expect(editing.run(redo).text).toBe(after);
  });

  it('come back when random changes are undone', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const next = numbers(seed);
      const text = generate(next);
      const editing = new Editing(text);
      const texts = [text];
      for (let step = 0; step < 5; step += 1) {
        const { length } = editing.state.doc;
        const from = next(length + 1);
        const to = Math.min(length, from + next(4));
        const insert = ['', 'x', '\n', 'x\ny'][next(4)] ?? '';
        // What changes nothing cannot be undone.
        if (from === to && insert === '') continue;
        texts.push(editing.change({ changes: { from, to, insert } }).text);
      }
      for (let step = texts.length - 2; step >= 0; step -= 1) {
        expect(editing.run(undo).text).toBe(texts[step]);
      }
    }
  });

  it('are taken over with a text from elsewhere', () => {
    const editing = new Editing('one\ntwo').change({ effects: takeLineEnds('one\r\ntwo') });
    expect(editing.text).toBe('one\r\ntwo');
  });
});
