/** The files that a page asks for before its script runs, by its address. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

/** The screens that people begin with, by their addresses; each with the modules and the texts that it loads. */
const SCREENS = [
  { path: '^/admin/(w/[^/]+/?)?$', modules: ['screens/dashboard/Dashboard.tsx'], texts: ['first'] },
  { path: '^/admin/w/[^/]+/content/[^/]+/?$', modules: ['screens/content/List.tsx'], texts: ['first', 'writing'] },
  {
    path: '^/admin/w/[^/]+/content/[^/]+/[^/]+/?$',
    modules: ['screens/entry/Editor.tsx', 'fields/rich.ts'],
    texts: ['first', 'writing'],
  },
  { path: '^/admin/w/[^/]+/media/?$', modules: ['screens/media/Media.tsx'], texts: ['first', 'writing'] },
];

type Bundle = Rolldown.OutputBundle;

/** Writes `boot.js`, which preloads the files of the screen that was asked for. */
export function preloadScreens(): Plugin {
  return {
    name: 'preload-screens',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const template = readFileSync(new URL('boot.js', import.meta.url), 'utf8');
        const page = filesOf(bundle, 'main.tsx');
        const screens = SCREENS.map(({ path, modules, texts }) => {
          const files = new Set([
            ...texts.map((it) => `assets/LANGUAGE.${it}.js`),
            ...modules.flatMap((it) => [...filesOf(bundle, it)]).filter((it) => !page.has(it)),
          ]);
          return { path, files: [...files] };
        });
        const languages = Object.keys(bundle).flatMap((it) => /assets\/(\w+)\.first\.js/.exec(it)?.[1] ?? []).sort();
        const source = template.replace('__SCREENS__', JSON.stringify(screens)).replace('__LANGUAGES__', JSON.stringify(languages));
        this.emitFile({ type: 'asset', fileName: 'boot.js', source });
      },
    },
  };
}

/** The scripts and styles that a module is loaded with. */
function filesOf(bundle: Bundle, module: string): Set<string> {
  const id = fileURLToPath(new URL(`../src/${module}`, import.meta.url));
  const chunks = Object.values(bundle).filter((it) => it.type === 'chunk');
  const own = chunks.find((it) => it.facadeModuleId === id) ?? chunks.find((it) => it.moduleIds.includes(id));
  if (!own) throw new Error(`no chunk has ${module}`);
  const scripts = new Set([own.fileName]);
  for (const name of scripts) for (const next of chunks.find((it) => it.fileName === name)?.imports ?? []) scripts.add(next);
  const styles = chunks.filter((it) => scripts.has(it.fileName)).flatMap((it) => [...(it.viteMetadata?.importedCss ?? [])]);
  return new Set([...scripts, ...styles]);
}
