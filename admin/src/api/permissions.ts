/**
 * The permissions that decide what is offered. The server decides; this only keeps what would be refused out
 * of sight, so it may err on the side of showing.
 */
import type { Me } from './schema';

type Grants = Me['permissions'];

/** Checks whether two patterns, in which `*` is any text, can both match some text. */
export function patternsOverlap(a: string, b: string): boolean {
  const seen = new Map<number, boolean>();
  function from(i: number, j: number): boolean {
    const key = i * (b.length + 1) + j;
    const known = seen.get(key);
    if (known !== undefined) return known;
    seen.set(key, false);
    const result =
      i === a.length && j === b.length
        ? true
        : a[i] === '*'
          ? from(i + 1, j) || (j < b.length && from(i, j + 1))
          : b[j] === '*'
            ? from(i, j + 1) || (i < a.length && from(i + 1, j))
            : i < a.length && j < b.length && a[i] === b[j] && from(i + 1, j + 1);
    seen.set(key, result);
    return result;
  }
  return from(0, 0);
}

/** Checks whether a pattern matches everything that another one does (one wildcard at the end of it). */
function covers(pattern: string, asked: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(asked);
}

/** The pattern without its workspace, or nothing when it is about another one. */
function inWorkspace(pattern: string, workspace: string): string | undefined {
  const scoped = /^workspace:([^:]*):(.*)$/.exec(pattern);
  if (!scoped) return pattern;
  return covers(scoped[1] ?? '', workspace) ? scoped[2] : undefined;
}

/**
 * Checks whether some grant allows the action on something of the resource (`content:posts:*`, `users:*`)
 * and none denies it on all of it.
 */
export function mayAllow(grants: Grants, workspace: string, action: string, resource: string): boolean {
  const about = (grant: Grants[number], match: (pattern: string, asked: string) => boolean) =>
    grant.actions.some((it) => covers(it, action)) &&
    grant.resources.some((it) => {
      const pattern = inWorkspace(it, workspace);
      return pattern !== undefined && match(pattern, resource);
    });
  const denied = grants.some(
    (grant) =>
      grant.effect === 'deny' &&
      Object.keys(grant.conditions ?? {}).length === 0 &&
      about(grant, covers),
  );
  return !denied && grants.some((grant) => grant.effect === 'allow' && about(grant, patternsOverlap));
}

/** Checks whether `mayAllow` is the server's own answer: whether no grant about it hangs on a condition. */
export function isSettled(grants: Grants, workspace: string, action: string, resource: string): boolean {
  return grants.every((grant) => {
    const isAbout = grant.resources.some((it) => {
      const pattern = inWorkspace(it, workspace);
      return pattern !== undefined && patternsOverlap(pattern, resource);
    });
    return !isAbout || !grant.actions.some((it) => covers(it, action)) || Object.keys(grant.conditions ?? {}).length === 0;
  });
}
