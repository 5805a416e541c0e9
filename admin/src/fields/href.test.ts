import { expect, it, vi } from 'vitest';
import { hrefOf } from './href';

vi.mock('~/base', async () => {
  vi.stubGlobal('document', { querySelector: () => ({ content: '/cms' }) });
  return { ...(await vi.importActual<object>('~/base')) };
});

it.each([
  ['/about', '/cms/about'],
  ['https://example.org', 'https://example.org'],
  ['mailto:a@example.org', 'mailto:a@example.org'],
  ['//example.org/a', '//example.org/a'],
  // Browsers take a backslash for a slash: these look like paths and lead to another host.
  ['/\\example.org', undefined],
  ['/\\/example.org', undefined],
  ['//\\example.org', undefined],
  ['///example.org', undefined],
  ['\\\\example.org', undefined],
  // Browsers leave out control characters before a scheme.
  ['\u0001javascript:alert(1)', undefined],
  ['javascript:alert(1)', undefined],
  ['about', undefined],
  ['', undefined],
])('%j leads to %j', (address, href) => {
  expect(hrefOf(address)).toBe(href);
});
