import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('..', import.meta.url));
/** A dialog that is open for as long as it is in the page: Mantine gives the keyboard back only when one closes. */
const ALWAYS_OPEN = /<(?:Modal|Drawer)(?:\.Root)?(?:\s[^>]*?)?\sopened[\s>]/;

it('gives the keyboard back from every dialog', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.tsx'));
  const sources = files.map((file) => ({ file, source: readFileSync(SRC + file, 'utf8') })).filter(({ source }) => ALWAYS_OPEN.test(source));
  expect(sources.length).toBeGreaterThan(10);
  const forgetful = sources.filter(({ source }) => !/useReturnFocus\(\)|returnFocus=\{false\}/.test(source));
  expect(forgetful.map((it) => it.file)).toEqual([]);
});
