import { expect, it } from 'vitest';
import { countWords, readingMinutes } from './counts';
import { findHtmlHeadings, findMarkdownHeadings, headingAt } from './headings';

it.each<[string, [number, string][]]>([
  ['# One\n\ntext\n\n## Two *and* `more` ##\n', [[1, 'One'], [2, 'Two and more']]],
  ['Under\nlined\n=====\n\n- # in a list\n\n> # quoted\n', [[1, 'Under lined']]],
  ['```\n# code\n```\n\n### [A link](https://example.org) \\# sign', [[3, 'A link # sign']]],
  ['##\n\ntext', [[2, '']]],
  ['---\ntitle: One\n---\n\n# Two', [[1, 'Two']]],
  ['snake_case_words\n---', [[2, 'snake_case_words']]],
])('headings of %j', (text, expected) => {
  expect(findMarkdownHeadings(text).map((it) => [it.level, it.text])).toEqual(expected);
});

it('knows the headings of HTML', () => {
  expect(findHtmlHeadings('<h2 id="a">Some <b>bold</b>\n words</h2><p>h</p><H3>Next</H3>')).toEqual([
    { level: 2, text: 'Some bold words', from: 0 },
    { level: 3, text: 'Next', from: 47 },
  ]);
});

it('says the places as the editor counts them, which has line feeds only', () => {
  expect(findMarkdownHeadings('a\r\n\r\n# b\r\n').map((it) => it.from)).toEqual([3]);
  expect(findHtmlHeadings('a\r\n\r\n<h2>b</h2>').map((it) => it.from)).toEqual([3]);
});

it('knows under which heading a place is', () => {
  const headings = findMarkdownHeadings('before\n\n# One\n\ntext\n\n# Two');
  expect([0, 8, 16, 24].map((place) => headingAt(headings, place))).toEqual([-1, 0, 0, 1]);
});

it.each([
  ['', 0],
  ["It's **well-known**: Über 3.5 things", 5],
  ['日本語を書く', 3],
])('%j has %i words', (text, count) => {
  expect(countWords(text)).toBe(count);
});

it('takes a minute at least', () => {
  expect([0, 100, 330, 2200].map(readingMinutes)).toEqual([1, 1, 2, 10]);
});
