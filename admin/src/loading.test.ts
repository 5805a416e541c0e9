import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('.', import.meta.url));

/** The boxes and spinners of a file that nothing hides from screen readers or says in words. */
function unlabelled(source: string): string[] {
  const outside = source.replaceAll(/<Waiting\b(?:(?!\/>)[^>])*>[\s\S]*?<\/Waiting>/g, '');
  const tags = [...outside.matchAll(/<(?:Skeleton|Loader)\b[^>]*>/g)].map(([tag]) => tag);
  return tags.filter((tag) => !tag.includes('aria-hidden'));
}

it('screen readers hear of what is loading, and not of its boxes', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.tsx') && it !== 'ui/Waiting.tsx');
  const sources = files.map((file) => [file, readFileSync(SRC + file, 'utf8')] as const);
  expect(sources.filter(([, source]) => source.includes('<Waiting')).length).toBeGreaterThan(30);
  expect(sources.flatMap(([file, source]) => unlabelled(source).map((tag) => `${file}: ${tag}`))).toEqual([]);
});
