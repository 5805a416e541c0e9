/** The combined effect of several grants, as far as it can be told without looking at single things. */
import { patternsOverlap } from '~/api/permissions';
import type { Grant } from '~/api/schema';
import { matches } from './actions';

/** `partly`: some of it, or under conditions. */
export type Verdict = 'yes' | 'partly' | 'no';

/** A pattern as it counts in a workspace; nothing when it is about another one. */
function inWorkspace(pattern: string, workspace: string): string | undefined {
  const scoped = /^workspace:([^:]*):(.*)$/.exec(pattern);
  const rest = scoped ? (scoped[2] ?? '') : pattern;
  if (scoped && !matches(scoped[1] ?? '', workspace)) return undefined;
  // The short form for reading a whole type.
  return rest.replace(/^(content:[^:]+):read$/, '$1:*');
}

/** Decides an action on all of a resource (`content:posts:*`) in a workspace by the grants. */
export function decideAction(grants: readonly Grant[], workspace: string, action: string, resource: string): Verdict {
  const about = grants.filter((grant) => grant.actions.some((it) => matches(it, action)));
  const some = (effect: Grant['effect'], test: (pattern: string) => boolean, unconditional: boolean) =>
    about.some(
      (grant) =>
        grant.effect === effect &&
        (!unconditional || (Object.keys(grant.conditions ?? {}).length === 0 && !grant.fields)) &&
        grant.resources.some((it) => {
          const pattern = inWorkspace(it, workspace);
          return pattern !== undefined && test(pattern);
        }),
    );
  const covers = (pattern: string) => matches(pattern, resource);
  const near = (pattern: string) => patternsOverlap(pattern, resource);
  if (some('deny', covers, true)) return 'no';
  if (some('allow', covers, true)) return some('deny', near, false) ? 'partly' : 'yes';
  return some('allow', near, false) ? 'partly' : 'no';
}
