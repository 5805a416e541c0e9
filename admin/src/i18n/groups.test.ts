import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import later from './en.later';

const SRC = fileURLToPath(new URL('..', import.meta.url));

/** The files that a file imports, at once or later. */
function importsOf(file: string): string[] {
  const source = readFileSync(file, 'utf8');
  return [...source.matchAll(/(?:from|import\()\s*'([~.][^']*)'/g)].flatMap(([, path = '']) => {
    const place = path.startsWith('~/') ? join(SRC, path.slice(2)) : normalize(join(dirname(file), path));
    return ['.ts', '.tsx', '/index.ts'].map((end) => place + end).find((it) => existsSync(it)) ?? [];
  });
}

/** The keys of other screens' texts that a screen and everything below it looks up. */
function foreignKeys(screen: string): string[] {
  const files = new Set([join(SRC, screen)]);
  for (const file of files) for (const next of importsOf(file)) if (!next.includes('/i18n/')) files.add(next);
  const keys = Object.keys(later);
  return [...files].flatMap((file) => {
    const source = readFileSync(file, 'utf8');
    const whole = [...source.matchAll(/'([a-zA-Z]+\.[\w.]+)'/g)].filter(([, key = '']) => key in later && !isAction(key));
    const begun = [...source.matchAll(/`([a-zA-Z]+\.[\w.]*)\$\{/g)].filter(([, start = '']) => keys.some((key) => key.startsWith(start)));
    return [...whole, ...begun].map(([, key]) => `${file.slice(SRC.length)}: ${key}`);
  });
}

/** Rights have names like texts: `can('users.create', …)`. */
function isAction(name: string): boolean {
  return readFileSync(join(SRC, 'grants/actions.ts'), 'utf8').includes(`'${name}'`);
}

it('the screens that load only the texts of writing need no others', () => {
  const router = readFileSync(join(SRC, 'router.tsx'), 'utf8');
  const screens = [...router.matchAll(/import\('\.\/(screens\/[^']+)'\), WRITING\)/g)].map(([, path]) => `${path}.tsx`);
  expect(screens).toContain('screens/entry/Editor.tsx');
  expect(screens.flatMap(foreignKeys)).toEqual([]);
});
