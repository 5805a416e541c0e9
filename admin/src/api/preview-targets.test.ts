import { expect, test } from 'vitest';
import { fillAddress, originOf } from './preview-targets';

const parts = { slug: 'über/uns?', id: '1a', type: 'posts', locale: 'de', token: 'a.b.c' };

test('an address is filled in, and nothing in it can leave its place', () => {
  const check = (template: string, expected: string) => expect(fillAddress(template, parts)).toBe(expected);
  check('https://x.org/{locale}/{type}/{slug}?recto={token}#{id}', 'https://x.org/de/posts/%C3%BCber%2Funs%3F?recto=a.b.c#1a');
  check('https://x.org/{slug}/{slug}', 'https://x.org/%C3%BCber%2Funs%3F/%C3%BCber%2Funs%3F');
  check('https://x.org/{other}', 'https://x.org/{other}');
});

test('messages go to an origin of the web only', () => {
  expect(originOf('https://x.org:443/a')).toBe('https://x.org');
  expect(originOf('http://localhost:3000/a')).toBe('http://localhost:3000');
  for (const wrong of ['javascript:alert(1)', 'data:text/html,x', '/here', '']) expect(originOf(wrong)).toBeUndefined();
});
