import { expect, it } from 'vitest';
import { readEmbed } from './embeds/embeds';
import { parseReference } from './links/entries';
import { findInsertions } from './slash/slashState';
import { formatAutolink, formatDestination, formatLink, formatPicture, parseAddress } from './syntax';

it.each([
  ['h3', 'heading3'],
  ['todo', 'tasks'],
  ['head', 'heading2'],
  ['table', 'table'],
  ['youtube', 'embed'],
])('%s finds %s first', (query, id) => {
  expect(findInsertions(query)[0]?.id).toBe(id);
});

it.each([
  ['<https://www.youtube.com/watch?v=1>', { address: 'https://www.youtube.com/watch?v=1', site: 'youtube.com', kind: 'video' }],
  ['https://example.org/a', { address: 'https://example.org/a', site: 'example.org', kind: 'page' }],
  ['https://notyoutube.com/', { address: 'https://notyoutube.com/', site: 'notyoutube.com', kind: 'page' }],
  ['see https://example.org/a', undefined],
  ['<javascript:alert(1)>', undefined],
])('%s as an embed', (text, embed) => {
  expect(readEmbed(text)).toEqual(embed);
});

it.each([
  ['recto:posts/01h', { type: 'posts', id: '01h' }],
  ['recto:posts', undefined],
  ['recto:posts/a/b', undefined],
  ['https://example.org', undefined],
])('%s names an entry', (address, entry) => {
  expect(parseReference(address)).toEqual(entry);
});

it.each([
  [formatDestination('/a_(b)'), '/a_(b)'],
  [formatDestination('/a)b'), '</a)b>'],
  [formatDestination('/a b'), '/a%20b'],
  [formatLink('a [b]\nc', '/d'), String.raw`[a \[b\] c](/d)`],
  [formatPicture('A [nice] one', '/a b(1).png'), String.raw`![A \[nice\] one](/a%20b(1).png)`],
  [formatPicture('', '/a.png'), '![](/a.png)'],
  [formatAutolink(' https://a.org/> '), '<https://a.org/%3E>'],
  [parseAddress('https://a.org/ b'), undefined],
  [parseAddress('javascript:alert(1)'), undefined],
  [parseAddress('mailto:a@b.org'), 'mailto:a@b.org'],
])('%#', (found, expected) => {
  expect(found).toBe(expected);
});
