import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('.', import.meta.url));
const OPENER = /\/\*\*\s+(?:\* )?(?:What|Whether|Who|Whose|Whom|Which|How|Where|When|As|If|Whatever|Whoever|Why)\b.*/g;

it('opens comments with a noun or a verb', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((it) => /\.tsx?$/.test(it) && !it.endsWith('schema.ts'));
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((file) => [...readFileSync(SRC + file, 'utf8').matchAll(OPENER)].map(([comment]) => `${file}: ${comment}`));
  expect(found).toEqual([]);
});
