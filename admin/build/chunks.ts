/** The chunks that screens share. What only one screen needs is in a chunk of its own without being named here. */
import { fileURLToPath } from 'node:url';
import { type Graph, loadedLater, reach } from './graph.ts';

const MAIN = source('main.tsx');
const DASHBOARD = source('screens/dashboard/Dashboard.tsx');
const LOGIN = source('screens/auth/Login.tsx');
/** The parts that lie over the page at times. */
const OVERLAYS = source('shell/overlays.ts');
const EDITOR = source('screens/entry/Editor.tsx');
/** The inputs that bring libraries along. */
const RICH_INPUTS = source('fields/rich.ts');
const DATES = source('fields/simple/dates.ts');
const MARKDOWN = source('fields/text/MarkdownField.tsx');

/** The editor of code and long texts. */
const CODEMIRROR = /node_modules\/(@codemirror|@lezer|style-mod|w3c-keyname)/;

/** The field that files are dropped into, for the few screens that have one. */
const DROPZONE = /node_modules\/(@mantine\/dropzone|react-dropzone|file-selector|attr-accept)/;

function source(path: string): string {
  return fileURLToPath(new URL(`../src/${path}`, import.meta.url));
}

/** Where a module is needed. */
interface Need {
  /** True if one of some files imports it, itself or through others. */
  isIn: (...files: string[]) => boolean;
  /** True if it is imported by anything else that is loaded later than the first script. */
  isSharedBy: (file: string) => boolean;
  /** True if something of a folder that is loaded later imports it. */
  isInPartOf: (folder: string) => boolean;
  /** True if it imports such modules itself, or through others. */
  imports: (modules: RegExp) => boolean;
}

interface Group {
  name: string | ((id: string, graph: Graph) => string | null);
  /** Named so in reports. */
  debugName?: string;
  test?: RegExp;
  minShareCount?: number;
}

/** A module belongs to the first of them that wants it. */
const GROUPS: Group[] = [
  chunk('libraries', ({ isIn }, id) => (isIn(MAIN) && id.includes('node_modules')) || /rolldown\/runtime|@mantine\/hooks\/esm\/utils/.test(id)),
  chunk('shell', ({ isIn, isSharedBy }) => isIn(MAIN) || (isIn(DASHBOARD) && isSharedBy(DASHBOARD)) || (isIn(LOGIN, OVERLAYS) && isIn(EDITOR, RICH_INPUTS))),
  { name: 'codemirror', test: CODEMIRROR },
  { name: 'dropzone', test: DROPZONE },
  chunk('login', ({ isIn, isSharedBy }) => isIn(LOGIN) && isSharedBy(LOGIN)),
  chunk('overlays', ({ isIn }) => isIn(OVERLAYS)),
  chunk('form', ({ isIn, isSharedBy }, id) => isIn(EDITOR) && (id.endsWith('.css') || isSharedBy(EDITOR))),
  chunk('dates', ({ isIn }) => isIn(DATES)),
  chunk('fields', ({ isIn, isInPartOf }) => isIn(RICH_INPUTS) || (isIn(MARKDOWN) && isInPartOf('screens'))),
  // What imports an editor itself keeps it away from `shared`, which every screen has.
  { ...chunk('code', ({ imports }) => imports(CODEMIRROR)), minShareCount: 2 },
  { ...chunk('markdown', ({ isInPartOf }) => isInPartOf('fields/text') && !isInPartOf('screens')), minShareCount: 2 },
  // Left alone, every icon that two screens have would be a file of its own.
  { name: 'shared', minShareCount: 2 },
];

export const groups = GROUPS.map((group, index) => ({ ...group, priority: GROUPS.length - index }));

/** A chunk for the modules that it is for. */
function chunk(name: string, isMember: (need: Need, id: string) => boolean): Group {
  const known = new Map<string, ReadonlySet<string>>();
  const remember = (key: string, find: () => ReadonlySet<string>) => {
    const found = known.get(key) ?? find();
    known.set(key, found);
    return found;
  };
  return {
    debugName: name,
    name: (id, graph) => {
      const isIn = (...files: string[]) => files.some((file) => remember(file, () => reach([file], graph)).has(id));
      const isInLater = (key: string, wanted: (file: string) => boolean) =>
        remember(key, () => reach(loadedLater(MAIN, graph).filter(wanted), graph)).has(id);
      const need: Need = {
        isIn,
        isSharedBy: (file) => isInLater(`others than ${file}`, (it) => it !== file),
        isInPartOf: (folder) => isInLater(folder, (it) => it.includes(`/src/${folder}/`)),
        imports: (modules) => [...reach([id], graph)].some((it) => modules.test(it)),
      };
      return isMember(need, id) ? name : null;
    },
  };
}
