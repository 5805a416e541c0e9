import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { type AtRule, type Container, parse, type Rule } from 'postcss';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The modules of a build, as a group of chunks may ask for them. */
type Graph = { getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[]; code: string | null } | null };
/** Everything that some modules import. */
type Reached = ((roots: readonly string[]) => ReadonlySet<string>) & { graph: Graph };

const MAIN = source('main.tsx');
/** What a session begins with. */
const FIRST = [source('screens/dashboard/Dashboard.tsx'), source('screens/auth/Login.tsx')];
const EDITOR = source('screens/entry/Editor.tsx');
/** The inputs that bring libraries along, and the one that brings most. */
const RICH_INPUTS = [source('fields/rich.ts')];
const MARKDOWN = [source('fields/text/MarkdownField.tsx')];

function source(path: string): string {
  return fileURLToPath(new URL(`src/${path}`, import.meta.url));
}

/** Everything of the first script, and what the first screens share with others. */
function isOfShell(reached: Reached, id: string): boolean {
  return reached([MAIN]).has(id) || (reached(FIRST).has(id) && reached(loadedLater(reached.graph)).has(id));
}

/** What the editor of an entry shares with others, and all of its styles. */
function isOfForm(reached: Reached, id: string): boolean {
  const others = loadedLater(reached.graph).filter((it) => it !== EDITOR);
  return reached([EDITOR]).has(id) && (id.endsWith('.css') || reached(others).has(id));
}

/** The modules that are loaded later than the first screens, each with what it imports. */
function loadedLater(graph: Graph): string[] {
  const found = new Set([MAIN]);
  const later = new Set<string>();
  for (const id of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
    for (const next of [...importedIds, ...dynamicallyImportedIds]) if (next.includes('/src/')) found.add(next);
    for (const next of dynamicallyImportedIds) if (!FIRST.includes(next)) later.add(next);
  }
  return [...later].sort();
}

/** Names a chunk for the modules that it is for, of those that a group may have. */
function chunk(name: string, isMember: (reached: Reached, id: string) => boolean): (id: string, graph: Graph) => string | null {
  const known = new Map<string, Set<string>>();
  return (id, graph) => {
    const reached = Object.assign(
      (roots: readonly string[]) => {
        const found = known.get(roots.join()) ?? reach(roots, graph);
        known.set(roots.join(), found);
        return found;
      },
      { graph },
    );
    return isMember(reached, id) ? name : null;
  };
}

/** Everything that some modules import, and what this imports in turn; not what is loaded later. */
function reach(roots: readonly string[], graph: Graph): Set<string> {
  const found = new Set(roots);
  // What is added to a set while it is walked through is walked through too.
  for (const id of found) for (const next of needs(id, graph)) found.add(next);
  return found;
}

/** What a module imports; of an index that only hands on, just the modules with the imported names. */
function needs(id: string, graph: Graph): string[] {
  const { importedIds = [], code } = graph.getModuleInfo(id) ?? {};
  const names = importedNames(code ?? '');
  return importedIds.flatMap((next) => {
    const wanted = names.get(packageOf(next) ?? '');
    const { code: text } = graph.getModuleInfo(next) ?? {};
    if (!wanted || packageOf(id) === packageOf(next) || !text) return [next];
    const homes = exportingFiles(text);
    const files = wanted.flatMap((name) => homes.get(name) ?? []);
    return files.length === 0 ? [next] : files.map((file) => join(dirname(next), file));
  });
}

function packageOf(id: string): string | undefined {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1];
}

/** The names that a source imports, by the package that they come from. */
function importedNames(source: string): Map<string, string[]> {
  const found = [...source.matchAll(/import\s*\{([^}]*)\}\s*from\s*["']([^."'][^"']*)["']/g)];
  return new Map(found.map(([, list = '', from = '']) => [from, splitNames(list).map(([name]) => name)]));
}

/** The file that each name of an index comes from. */
function exportingFiles(source: string): Map<string, string> {
  const found = [...source.matchAll(/(?:import|export)\s*\{([^}]*)\}\s*from\s*["'](\.[^"']+)["']/g)];
  return new Map(found.flatMap(([, list = '', from = '']) => splitNames(list).map(([, name]) => [name, from] as const)));
}

/** The names of `a, b as c`, there and here. */
function splitNames(list: string): [there: string, here: string][] {
  const parts = list.split(',').map((it) => it.trim().split(/\s+as\s+/)).filter(([name]) => name);
  return parts.map(([there = '', here = there]) => [there, here]);
}

/** The styles of libraries, whose classes are named by hashes: `.m_77c9d27d`. */
const LIBRARY_STYLES = 'assets/shell.css';
const LIBRARY_CLASS = /\.(m_?[0-9a-f]{6,8})(?![\w-])/g;

/**
 * Moves each rule of the libraries' styles to the chunk whose script has its class, and drops rules
 * whose classes are in none: the first screen needs half of them, and a third belong to components that
 * no screen has.
 */
function splitLibraryStyles(): Plugin {
  return {
    name: 'split-library-styles',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const sheet = bundle[LIBRARY_STYLES];
        if (sheet?.type !== 'asset') throw new Error(`${LIBRARY_STYLES} is missing`);
        const chunks = Object.values(bundle).filter((it) => it.type === 'chunk');
        const homes = new Map(chunks.flatMap(({ code, fileName }) => {
          const styles = bundle[fileName.replace(/js$/, 'css')] ? fileName.replace(/js$/, 'css') : LIBRARY_STYLES;
          return [...code.matchAll(/["'`](m_?[0-9a-f]{6,8})["'`]/g)].map(([, name = '']) => [name, styles] as const);
        }));
        const styles = splitRules(String(sheet.source), (names) => findHome(names, homes));
        for (const [file, css] of styles) {
          const asset = bundle[file];
          if (asset?.type === 'asset') asset.source = file === LIBRARY_STYLES ? css : css + String(asset.source);
        }
      },
    },
  };
}

/** The style sheet of a rule with some classes: a later one if any of them is there; none if one is nowhere. */
function findHome(names: readonly string[], homes: ReadonlyMap<string, string>): string | undefined {
  const files = names.map((name) => homes.get(name));
  return files.includes(undefined) ? undefined : (files.find((it) => it !== LIBRARY_STYLES) ?? LIBRARY_STYLES);
}

/** A style sheet as several ones, each with its rules in their order. */
function splitRules(css: string, home: (names: readonly string[]) => string | undefined): Map<string, string> {
  const root = parse(css);
  const selectorsOf = (rule: Rule, file: string) =>
    rule.selectors.filter((it) => home([...it.matchAll(LIBRARY_CLASS)].map(([, name = '']) => name)) === file);
  const files = new Set<string>([LIBRARY_STYLES]);
  root.walkRules((rule) => {
    for (const it of rule.selectors) files.add(home([...it.matchAll(LIBRARY_CLASS)].map(([, name = '']) => name)) ?? LIBRARY_STYLES);
  });
  return new Map([...files].map((file) => [file, keepRules(root.clone(), (rule) => selectorsOf(rule, file), file === LIBRARY_STYLES).toString()]));
}

/** Keeps the selectors that are asked for, and what has none only where it is wanted. */
function keepRules<Node extends Container>(root: Node, keep: (rule: Rule) => string[], withRest: boolean): Node {
  const inKeyframes = (node: Rule) => (node.parent as AtRule).name?.endsWith('keyframes');
  root.walkRules((rule) => {
    if (inKeyframes(rule)) return;
    const selectors = keep(rule);
    if (selectors.length === 0) rule.remove();
    else if (selectors.length < rule.selectors.length) rule.selectors = selectors;
  });
  root.walkAtRules((rule) => {
    if (rule.nodes?.length === 0 || (!withRest && !/^(media|supports|container|layer)$/.test(rule.name))) rule.remove();
  });
  return root;
}

// The server gives every build a directory of its own, so names stay the same from build to build,
// and every address in the bundle is relative: it works below any base path.
export default defineConfig({
  base: './',
  plugins: [react(), splitLibraryStyles()],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  css: { modules: { localsConvention: 'camelCaseOnly', generateScopedName: '[name]_[local]' } },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    modulePreload: { polyfill: false },
    // Inlined pictures would need `data:` in more places than the policy allows.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
        // What the first screen needs comes in two files, what several later ones share in a few:
        // left alone, every shared icon would be a file of its own.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules(?!.*\.css)|rolldown.runtime/, priority: 9 },
            { name: chunk('shell', isOfShell), priority: 8 },
            { name: 'codemirror', test: /node_modules\/(@codemirror|@lezer|style-mod|w3c-keyname)/, priority: 7 },
            { name: 'code', test: /src\/code\/(?!CodeEditor|lines)/, minShareCount: 2, priority: 6 },
            { name: chunk('form', isOfForm), priority: 4 },
            { name: chunk('fields', (reached, id) => reached(RICH_INPUTS).has(id)), priority: 2 },
            { name: chunk('markdown', (reached, id) => reached(MARKDOWN).has(id)), minShareCount: 2, priority: 1 },
            { name: 'shared', minShareCount: 2, priority: 0 },
          ],
        },
      },
    },
  },
  server: { proxy: { '/admin/api': 'http://127.0.0.1:8080', '/media': 'http://127.0.0.1:8080' } },
  test: { environment: 'node', include: ['src/**/*.test.{ts,tsx}'], setupFiles: ['src/i18n/all.ts'] },
});
