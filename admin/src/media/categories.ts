/** Media categories are paths, written `Photos / Travel`; here they become a tree. */

const SEPARATOR = ' / ';

/** A category with those in it. */
export interface CategoryNode {
  path: string;
  /** The last segment of the path. */
  name: string;
  children: CategoryNode[];
}

/** The last segment of a path. */
export function categoryName(path: string): string {
  return path.split(SEPARATOR).at(-1) ?? path;
}

/** The path of the category that this one is in; empty at the top. */
export function parentCategory(path: string): string {
  const end = path.lastIndexOf(SEPARATOR);
  return end < 0 ? '' : path.slice(0, end);
}

/** The path of a category of this name in another one, or at the top. */
export function joinCategory(parent: string, name: string): string {
  return parent ? `${parent}${SEPARATOR}${name}` : name;
}

/** Returns the depth of a category: 0 at the top. */
export function depthOf(path: string): number {
  return path.split(SEPARATOR).length - 1;
}

/** Checks whether a path is that of the category or of one somewhere below it. */
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
    const node: CategoryNode = { path, name: categoryName(path), children: [] };
    known.set(path, node);
    const parent = parentCategory(path);
    (parent ? add(parent).children : roots).push(node);
    return node;
  };
  for (const path of paths) add(path);
  return roots;
}

/** Returns the places that a category can be moved to: not into itself, nor to its present place. Empty is the top. */
export function destinations(path: string, all: readonly string[]): string[] {
  return ['', ...all].filter((to) => canMove(path, to));
}

/** Checks whether a category can be put into another one, or to the top (empty). */
export function canMove(path: string, into: string): boolean {
  return into !== parentCategory(path) && !isWithin(into, path);
}

/** Returns the new path of something below a category that was moved. */
export function pathAfterMove(path: string, from: string, to: string): string {
  return isWithin(path, from) ? `${to}${path.slice(from.length)}` : path;
}
