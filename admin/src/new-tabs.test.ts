import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('.', import.meta.url));

/** The tags that open another tab. */
function openers(source: string): string[] {
  return [...source.matchAll(/<[A-Za-z][^<]*?\btarget="_blank"[^<]*?>/g)].map(([tag]) => tag);
}

it('links that open a tab tell the other side nothing and give it no way back', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.tsx'));
  const tags = files.flatMap((file) => openers(readFileSync(SRC + file, 'utf8')).map((tag) => `${file}: ${tag}`));
  expect(tags.length).toBeGreaterThan(10);
  expect(tags.filter((it) => !it.includes('rel="noopener noreferrer"'))).toEqual([]);
});
