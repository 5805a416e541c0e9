/**
 * A grant as people think of it: by area what may be done to which things, in which workspaces. Most
 * grants can be read so; one that cannot is edited as the patterns it is made of.
 */
import type { Grant } from '~/api/schema';
import { actionsOf, type Area, AREAS, compressActions, expandActions, isWorkspaceArea } from './actions';

/** The rule of a grant for one area. No targets are all things of the area. */
export interface AreaRule {
  actions: readonly string[];
  targets: readonly string[];
}

export interface GrantShape {
  effect: Grant['effect'];
  /** The workspaces that it counts in; none are all. */
  scope: readonly string[];
  areas: Partial<Record<Area, AreaRule>>;
  conditions: NonNullable<Grant['conditions']>;
  fields?: readonly string[] | undefined;
}

/** A resource pattern in its parts; `target` is empty for the whole area. */
interface Target {
  scope: string;
  area: Area | '*';
  target: string;
}

/** Takes a pattern apart; nothing when it is of a form that the areas cannot show. */
function readResource(pattern: string): Target | undefined {
  const scoped = /^workspace:([^:]*):(.+)$/.exec(pattern);
  const scope = scoped?.[1] ?? '*';
  const rest = scoped?.[2] ?? pattern;
  if (rest === '*') return { scope: scoped ? scope : '', area: '*', target: '' };
  const at = rest.indexOf(':');
  const area = AREAS.find((it) => it === rest.slice(0, at));
  if (!area || (scoped && !isWorkspaceArea(area))) return undefined;
  const target = rest.slice(at + 1);
  if (target === '*') return { scope, area, target: '' };
  if (area !== 'content') return { scope, area, target };
  const [type, ...item] = target.split(':');
  if (!type || item.length === 0 || item.join(':') === 'read') return undefined;
  if (item.join(':') !== '*') return { scope, area, target };
  return { scope, area, target: type === '*' ? '' : type };
}

/** The one list of workspaces that all targets are narrowed to; nothing when they differ. */
function commonScope(targets: readonly Target[]): string[] | undefined {
  const inWorkspaces = targets.filter((it) => it.area === '*' ? it.scope !== '' : isWorkspaceArea(it.area));
  const byTarget = new Map<string, Set<string>>();
  for (const { scope, area, target } of inWorkspaces) {
    const key = `${area}:${target}`;
    byTarget.set(key, (byTarget.get(key) ?? new Set()).add(scope));
  }
  const lists = [...byTarget.values()].map((scopes) => [...scopes].toSorted().join('\n'));
  if (new Set(lists).size > 1) return undefined;
  const scope = lists[0]?.split('\n') ?? [];
  return scope.includes('*') ? (scope.length > 1 ? undefined : []) : scope;
}

/** Reads a grant; nothing when it says more than a shape can. `all` are the actions there are. */
export function readGrant(grant: Grant, all: readonly string[]): GrantShape | undefined {
  const targets: Target[] = [];
  for (const resource of grant.resources) {
    const target = readResource(resource);
    if (!target) return undefined;
    targets.push(target);
  }
  const scope = commonScope(targets);
  if (!scope) return undefined;
  const actions = expandActions(grant.actions, all);
  const areas: GrantShape['areas'] = {};
  for (const area of AREAS) {
    const about = targets.filter((it) => it.area === area || (it.area === '*' && (it.scope === '' || isWorkspaceArea(area))));
    const chosen = actionsOf(area, actions);
    // What has no counterpart on the other side would be lost unseen.
    if (chosen.length === 0 || about.length === 0) {
      if (chosen.length > 0 || about.some((it) => it.area !== '*')) return undefined;
      continue;
    }
    const whole = about.some((it) => it.target === '');
    areas[area] = { actions: chosen, targets: whole ? [] : [...new Set(about.map((it) => it.target))] };
  }
  // Everything, everywhere, next to something narrowed: no one scope says that.
  if (scope.length > 0 && targets.some((it) => it.area === '*' && it.scope === '')) return undefined;
  return { effect: grant.effect, scope, areas, conditions: grant.conditions ?? {}, fields: grant.fields };
}

function writeTarget(area: Area, target: string): string {
  if (target === '') return `${area}:*`;
  return area === 'content' && !target.includes(':') ? `content:${target}:*` : `${area}:${target}`;
}

/** Writes a shape as the grant that the server keeps. */
export function writeGrant(shape: GrantShape, all: readonly string[]): Grant {
  const rules = AREAS.flatMap((area) => {
    const rule = shape.areas[area];
    return rule && rule.actions.length > 0 ? [{ area, ...rule }] : [];
  });
  const actions = compressActions(rules.flatMap((it) => it.actions), all);
  const whole = shape.scope.length === 0 && rules.every((it) => it.targets.length === 0);
  const scopes = shape.scope.length > 0 ? shape.scope.map((it) => `workspace:${it}:`) : [''];
  const resources = rules.flatMap(({ area, targets }) => {
    const written = (targets.length > 0 ? targets : ['']).map((it) => writeTarget(area, it));
    return isWorkspaceArea(area) ? scopes.flatMap((scope) => written.map((it) => scope + it)) : written;
  });
  const conditions = cleanConditions(shape.conditions);
  return {
    effect: shape.effect,
    actions,
    resources: whole && actions[0] === '*' ? ['*'] : resources,
    ...(shape.fields && shape.fields.length > 0 && { fields: [...shape.fields] }),
    ...(Object.keys(conditions).length > 0 && { conditions }),
  };
}

/** Conditions without those that ask nothing. */
export function cleanConditions(given: NonNullable<Grant['conditions']>): NonNullable<Grant['conditions']> {
  return {
    ...(given.own && { own: true }),
    ...(given.status?.length && { status: given.status }),
    ...(given.locales?.length && { locales: given.locales }),
  };
}

/** A grant to begin with: reading everything of the content. */
export const NEW_GRANT: Grant = { effect: 'allow', actions: ['content.read'], resources: ['content:*'] };
