import type { Plugin } from 'vite';

const ALL = '@mantine/core/styles.css';
/** The styles that belong to no component. The colours and sizes of the theme are set by the script. */
const BASE = ['baseline.css', 'global.css'];
/** The names of the classes of a component: what is drawn with them imports these. */
const CLASSES = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/;

/**
 * Loads the styles of a component of the library with its script: the sheet of all components is
 * twice what the first screens need.
 */
export function splitLibraryStyles(): Plugin {
  return {
    name: 'split-library-styles',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (id.endsWith(ALL)) return BASE.map((it) => `@import '@mantine/core/styles/${it}';\n`).join('');
      return undefined;
    },
    transform(code, id) {
      const [, name] = CLASSES.exec(id) ?? [];
      return name ? { code: `import '@mantine/core/styles/${name}.css';\n${code}`, map: null } : undefined;
    },
  };
}
