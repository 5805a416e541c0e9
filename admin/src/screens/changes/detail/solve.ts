/** The conflicts of a proposal with what others changed meanwhile, and what they are solved with. */
import type { FieldDiff } from '~/api/schema';

/** The values that a body of a request sets, by their paths. */
export function bodyOfPaths(values: Readonly<Record<string, unknown>>, rootLocale: string | undefined): Record<string, unknown> {
  const body: Record<string, unknown> = rootLocale ? { locale: rootLocale } : {};
  for (const [path, value] of Object.entries(values)) {
    const steps = path.split('.');
    const last = steps.pop() ?? path;
    let into = body;
    for (const step of steps) into = (into[step] ??= {}) as Record<string, unknown>;
    into[last] = value ?? null;
  }
  return body;
}

/** The decision of a conflict: for one of the two values, or for another one. */
export type Decision = { take: 'live' | 'mine' } | { take: 'other'; value: unknown };

/** The values in conflict by their paths: those that somebody chose, and the live ones. */
export interface ConflictValues {
  chosen: Readonly<Record<string, unknown>>;
  live: Readonly<Record<string, unknown>>;
}

/** Returns the values by which all conflicts of an entry are solved; nothing while one is undecided. */
export function decidedValues(
  fields: readonly FieldDiff[],
  decisions: Readonly<Record<string, Decision | undefined>>,
): ConflictValues | undefined {
  const chosen: Record<string, unknown> = {};
  const live: Record<string, unknown> = {};
  for (const field of fields) {
    if (!field.conflict) continue;
    const decision = decisions[field.path];
    if (!decision) return undefined;
    live[field.path] = field.live;
    chosen[field.path] = decision.take === 'other' ? decision.value : decision.take === 'live' ? field.live : field.proposed;
  }
  return { chosen, live };
}
