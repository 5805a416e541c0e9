import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { unwrapRedirect } from './addresses';
import { convertDocument, placePictures } from './convert';
import { disarmHtml } from './dom';
import { escapeLineStart, escapeText } from './write';

/** The parser of HTML that the conversion has for Node; a browser has its own. Its types name no module. */
const { createDocument } = createRequire(import.meta.url)('@mixmark-io/domino') as { createDocument: (html: string) => Document };
const convert = (html: string) => convertDocument(createDocument(disarmHtml(html)), (it) => it.replace('https://cms.example/admin/a/1', 'recto:a/1'));
const fixture = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8');

describe('what is on the clipboard becomes Markdown', () => {
  it.each(['google-docs', 'word', 'page'])('of %s', (name) => {
    expect(`${convert(fixture(`${name}.html`)).text}\n`).toBe(fixture(`${name}.md`));
  });

  it.each([
    ['<p>a <b>b </b>c</p>', 'a **b** c'],
    ['<b>a</b><b>b</b><i> c</i>', '**ab** *c*'],
    ['<p>x<b>:y</b>z <b>Note:</b>now</p>', 'x:**y**z **Note**:now'],
    ['<b>one<br><br>two</b>', '**one**\n\n**two**'],
    ['<b><i>both</i></b> <s>gone</s>', '***both*** ~~gone~~'],
    ['<p>1. no list</p><p># no heading</p><p>- no item</p><p>---</p>', '1\\. no list\n\n\\# no heading\n\n\\- no item\n\n\\---'],
    ['<h2><b>Bold</b> head<br>on</h2>', '## Bold head on'],
    ['<h1>One</h1><h2>Two</h2>', '## One\n\n### Two'],
    ['<h2>Two</h2><h6>Six</h6>', '## Two\n\n###### Six'],
    ['<li>stray</li><li>two</li>', '- stray\n- two'],
    ['<table><tr><td><p>only</p><p>cell</p></td></tr></table>', 'only\n\ncell'],
    ['<pre>a\n```\nb</pre>', '````\na\n```\nb\n````'],
    ['<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
    ['<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li></ul>', '- a\n  - b\n    1. c'],
    ['<ol><li><p>a</p><pre><code class="language-sh">x</code></pre></li></ol>', '1. a\n\n   ```sh\n   x\n   ```'],
    ['<blockquote>a<blockquote>b</blockquote></blockquote>', '> a\n>\n> > b'],
    ['<p><a href="file:///etc/passwd">a</a><a href=" /about ">b</a><a href="data:text/html,x">c</a></p>', 'a[b](/about)c'],
    ['<p><a href="https://cms.example/admin/a/1">entry</a></p>', '[entry](recto:a/1)'],
    ['<p>a<!-- b --><script>c</script></p><p></p>', 'a'],
    ['', ''],
  ])('%s', (html, expected) => {
    expect(convert(html).text).toBe(expected);
  });
});

it.each(['<a "', '<style ', '<a'])('reads a text of nothing but %s in no time', (piece) => {
  expect(disarmHtml(piece.repeat(40_000))).not.toContain('data-');
});

describe('pictures', () => {
  const pixel = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  it('with bytes are taken out, to be uploaded', () => {
    const { text, pasted, remote, lost } = convert(`<p>a</p><img alt="b" src="${pixel}"><img src="https://example.org/c.png"><img src="file:///d.png"><img src="blob:x">`);
    expect(text).toBe('a\n\n![b](pasted:1)![](https://example.org/c.png)');
    expect(pasted.map((it) => [it.token, it.file.name, it.file.size])).toEqual([['pasted:1', 'pasted-1.png', 70]]);
    expect({ remote, lost }).toEqual({ remote: 1, lost: 2 });
  });

  it('get their address, or go if they have none', () => {
    const text = 'a\n\n![b](pasted:1)\n\n![c\\]](pasted:2)\n\nd';
    expect(placePictures(text, new Map([['pasted:1', '/media/b.png'], ['pasted:2', undefined]]))).toBe('a\n\n![b](/media/b.png)\n\nd');
  });
});

it.each([
  ['https://www.google.com/url?q=https://example.org/a%3Fb%3D1&sa=D&ust=1', 'https://example.org/a?b=1'],
  ['https://www.google.de/url?sa=t&url=https%3A%2F%2Fexample.org%2F', 'https://example.org/'],
  ['https://www.google.com/url?q=javascript:alert(1)', 'https://www.google.com/url?q=javascript:alert(1)'],
  ['https://example.org/url?q=https://other.org', 'https://example.org/url?q=https://other.org'],
  ['/local', '/local'],
])('%s leads to %s', (address, target) => {
  expect(unwrapRedirect(address)).toBe(target);
});

it.each([
  ['snake_case and _em_', String.raw`snake_case and \_em\_`],
  ['3 * 4 and *x*', String.raw`3 * 4 and \*x\*`],
  ['[a] and [b](c)', String.raw`\[a] and \[b](c)`],
  ['[a] alone', '[a] alone'],
  ['~5 and ~~x~~', String.raw`\~5 and \~\~x\~\~`],
  ['~5', '~5'],
  ['&amp; & &x', String.raw`\&amp; & &x`],
  ['C:\\dir\\*', String.raw`C:\dir\\\*`],
])('%s is escaped where it must be', (text, expected) => {
  expect(escapeText(text)).toBe(expected);
});

it.each([
  ['#tag', '#tag'],
  ['+ plus', String.raw`\+ plus`],
  ['2024) year', String.raw`2024\) year`],
  ['===', String.raw`\===`],
  ['> b', String.raw`\> b`],
])('%s at the start of a line', (line, expected) => {
  expect(escapeLineStart(line)).toBe(expected);
});
