import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('.', import.meta.url));
const IMPORT = /^(?:import|export)\b(?! type\b)[^;]*? from '([~.][^']*)'/gm;
const LAZY_IMPORT = /\bimport\('([~.][^']*)'\)/g;

/** Returns the file that an import names, or `undefined` for a style sheet. */
function resolveImport(file: string, path: string): string | undefined {
  const place = path.startsWith('~/') ? join(SRC, path.slice(2)) : join(SRC, dirname(file), path);
  const found = ['.ts', '.tsx', '/index.ts'].map((it) => place + it).find((it) => existsSync(it));
  return found && relative(SRC, found);
}

function importsOf(file: string): string[] {
  const source = readFileSync(SRC + file, 'utf8');
  const paths = [...source.matchAll(IMPORT), ...source.matchAll(LAZY_IMPORT)].map(([, path]) => resolveImport(file, path ?? ''));
  return paths.filter((it) => it !== undefined);
}

/** Returns a circle of imports that a file is in, or leads to, as the files in their order. */
function findCircle(file: string, imports: ReadonlyMap<string, string[]>, checked: Set<string>, trail: string[] = []): string[] {
  if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
  if (checked.has(file)) return [];
  for (const next of imports.get(file) ?? []) {
    const circle = findCircle(next, imports, checked, [...trail, file]);
    if (circle.length > 0) return circle;
  }
  checked.add(file);
  return [];
}

// The linter finds circles of ordinary imports only.
it('imports nothing in a circle, not even what is loaded later', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((it) => /\.tsx?$/.test(it) && !it.includes('.test.'));
  const imports = new Map(files.map((file) => [file, importsOf(file)]));
  expect([...imports.values()].flat().length).toBeGreaterThan(1000);
  const checked = new Set<string>();
  expect(files.map((file) => findCircle(file, imports, checked)).find((it) => it.length > 0)).toBeUndefined();
});
