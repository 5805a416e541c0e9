import { createRequire } from 'node:module';
import { beforeAll, expect, it, vi } from 'vitest';
import { classifyClip } from './clipboard';

const { createDocument } = createRequire(import.meta.url)('@mixmark-io/domino') as { createDocument: (html: string) => Document };

beforeAll(() => {
  vi.stubGlobal('DOMParser', class {
    parseFromString(html: string) {
      return createDocument(html);
    }
  });
});

const picture = new File(['x'], 'image.png', { type: 'image/png' });
const VS_CODE = '<meta charset=\'utf-8\'><div style="color: #cccccc;background-color: #1f1f1f;font-family: Menlo, Monaco, \'Courier New\', monospace;font-weight: normal;font-size: 12px;line-height: 18px;white-space: pre;"><div><span style="color: #569cd6;">const</span></div></div>';
const JETBRAINS = '<html><head><meta http-equiv="content-type" content="text/html; charset=UTF-8"></head><body><pre style="background-color:#2b2b2b;color:#a9b7c6;font-family:\'JetBrains Mono\',monospace;font-size:9.8pt;">fun</pre></body></html>';

it.each([
  ['words', { text: 'a' }, { kind: 'text' }],
  ['an address', { text: ' https://example.org/a ', html: '<a href="https://example.org/a">A</a>' }, { kind: 'address', address: 'https://example.org/a' }],
  ['formatted words', { text: 'a', html: '<b>a</b>' }, { kind: 'html', html: '<b>a</b>' }],
  ['the colours of VS Code', { text: 'const', html: VS_CODE }, { kind: 'text' }],
  ['the colours of JetBrains', { text: 'fun', html: JETBRAINS }, { kind: 'text' }],
  ['what VS Code says itself', { text: 'a', html: '<b>a</b>', types: ['vscode-editor-data'] }, { kind: 'text' }],
  ['a block of code of a page', { text: 'a', html: '<pre><code>a</code></pre>' }, { kind: 'html', html: '<pre><code>a</code></pre>' }],
  ['a page whose own font has one width', { text: 'a', html: '<p style="font-family: monospace">a</p>' }, { kind: 'html', html: '<p style="font-family: monospace">a</p>' }],
  ['a picture', { files: [picture] }, { kind: 'files', files: [picture], alt: '' }],
  ['a picture of a page', { files: [picture], html: '<img src="https://example.org/a.png" alt="A cat">' }, { kind: 'files', files: [picture], alt: 'A cat' }],
  ['words of a word processor, with a picture of them', { files: [picture], text: 'a', html: '<p>a</p>' }, { kind: 'html', html: '<p>a</p>' }],
])('%s', (_, clip, expected) => {
  expect(classifyClip({ types: [], text: '', html: '', files: [], ...clip })).toEqual(expected);
});
