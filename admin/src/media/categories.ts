/** Media categories are paths, written `Photos / Travel`; here they become a tree. */

const SEPARATOR = ' / ';

export interface CategoryNode {
  path: string;
  /** The last segment of the path. */
  name: string;
  children: CategoryNode[];
}

/** The last segment of a path. */
export function leafOf(path: string): string {
  return path.split(SEPARATOR).at(-1) ?? path;
}

/** The path of the category that this one is in; empty at the top. */
export function parentOf(path: string): string {
  const end = path.lastIndexOf(SEPARATOR);
  return end < 0 ? '' : path.slice(0, end);
}

/** The path of a category of this name in another one, or at the top. */
export function joined(parent: string, name: string): string {
  return parent ? `${parent}${SEPARATOR}${name}` : name;
}

/** How deep a category lies: 0 at the top. */
export function depthOf(path: string): number {
  return path.split(SEPARATOR).length - 1;
}

/** Whether a path is that of the category or of one somewhere below it. */
export function isWithin(path: string, category: string): boolean {
  return path === category || path.startsWith(`${category}${SEPARATOR}`);
}

/** The tree of all paths. Parents that are not named themselves are there nevertheless. */
export function categoryTree(paths: readonly string[]): CategoryNode[] {
  const roots: CategoryNode[] = [];
  const known = new Map<string, CategoryNode>();
  const add = (path: string): CategoryNode => {
    const there = known.get(path);
    if (there) return there;
    const node: CategoryNode = { path, name: leafOf(path), children: [] };
    known.set(path, node);
    const parent = parentOf(path);
    (parent ? add(parent).children : roots).push(node);
    return node;
  };
  for (const path of paths) add(path);
  return roots;
}

/** Where a category can be moved to: not into itself, nor to where it is. Empty is the top. */
export function destinations(path: string, all: readonly string[]): string[] {
  return ['', ...all].filter((to) => canMove(path, to));
}

/** Whether a category can be put into another one, or to the top (empty). */
export function canMove(path: string, into: string): boolean {
  return into !== parentOf(path) && !isWithin(into, path);
}

/** Where a path is after a category got another one. */
export function afterMove(path: string, from: string, to: string): string {
  return isWithin(path, from) ? `${to}${path.slice(from.length)}` : path;
}
