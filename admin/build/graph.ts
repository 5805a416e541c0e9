/** What modules import, for deciding which chunk they belong to. */
import { dirname, join } from 'node:path';

/** The modules of a build, as a group of chunks may ask for them. */
export type Graph = { getModuleInfo(id: string): { importedIds: string[]; dynamicallyImportedIds: string[]; code: string | null } | null };

/** Everything that some modules import, and what this imports in turn; not what is loaded later. */
export function reach(roots: readonly string[], graph: Graph): Set<string> {
  const found = new Set(roots);
  // What is added to a set while it is walked through is walked through too.
  for (const id of found) for (const next of needs(id, graph)) found.add(next);
  return found;
}

/** The modules that are loaded later than `main`, which imports them itself or through others; each with what it imports. */
export function loadedLater(main: string, graph: Graph): string[] {
  const found = new Set([main]);
  const later = new Set<string>();
  for (const id of found) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
    for (const next of [...importedIds, ...dynamicallyImportedIds]) if (next.includes('/src/')) found.add(next);
    for (const next of dynamicallyImportedIds) later.add(next);
  }
  return [...later].sort();
}

const known = new Map<string, string[]>();

function needs(id: string, graph: Graph): string[] {
  const found = known.get(id) ?? findNeeds(id, graph);
  known.set(id, found);
  return found;
}

/** What a module imports; of an index that only hands on, just the modules with the imported names. */
function findNeeds(id: string, graph: Graph): string[] {
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
