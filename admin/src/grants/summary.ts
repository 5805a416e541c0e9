/** Grants in plain sentences: “May read and create entries of Posts, only their own, in workspace Garden.” */
import type { Grant } from '~/api/schema';
import { formatList, type Key, language, t } from '~/i18n';
import { statusName } from '~/ui/status';
import { actionsOf, type Area, AREAS, isNamed, isWorkspaceArea, type NamedAction } from './actions';
import { type AreaRule, type GrantShape, readGrant } from './shape';

/** The names of things that a grant refers to by their key. */
export interface Names {
  /** The label of a content type. */
  type: (name: string) => string;
  /** The label of a workspace. */
  workspace: (slug: string) => string;
  /** All actions that the server knows. */
  actions: readonly string[];
}

/** `a, b or c`. */
function either(items: readonly string[]): string {
  return new Intl.ListFormat(language(), { type: 'disjunction' }).format(items);
}

/** Returns a grant as a sentence. */
export function grantSummary(grant: Grant, names: Names): string {
  const shape = readGrant(grant, names.actions);
  if (!shape) return rawSummary(grant);
  return shapeSummary(shape, names);
}

/** Returns the area-by-area form of a grant as a sentence. */
function shapeSummary(shape: GrantShape, names: Names): string {
  const clauses = AREAS.flatMap((area) => {
    const rule = shape.areas[area];
    return rule && rule.actions.length > 0 ? areaClauses(area, rule, names) : [];
  });
  if (clauses.length === 0) return t('roles.summary.nothing');
  const rest = [...conditions(shape), ...where(shape, names)].map((it) => t('roles.summary.part', { text: it })).join('');
  const all = isEverything(shape, names) ? [t('roles.summary.everything')] : clauses;
  // Where what is joined has commas of its own, they would not tell the parts apart.
  const what = all.some((it) => it.includes(',')) ? all.join(t('roles.summary.separator')) : formatList(all);
  return t(shape.effect === 'deny' ? 'roles.summary.deny' : 'roles.summary.allow', { what, rest });
}

function isEverything(shape: GrantShape, { actions }: Names): boolean {
  return AREAS.every((area) => {
    const whole = actionsOf(area, actions).length;
    const rule = shape.areas[area];
    return whole === 0 || (rule?.actions.length === whole && rule.targets.length === 0);
  });
}

const REVISIONS: readonly string[] = ['content.revisions.read', 'content.revisions.restore'];

function areaClauses(area: Area, rule: AreaRule, names: Names): string[] {
  const whole = actionsOf(area, names.actions);
  const object = targetWords(area, rule.targets, names);
  if (whole.length > 1 && whole.every((it) => rule.actions.includes(it))) {
    return [t('roles.summary.all', { object: object('with') })];
  }
  const plain = rule.actions.filter((it) => !REVISIONS.includes(it));
  const revisions = rule.actions.filter((it) => REVISIONS.includes(it));
  return [
    ...(plain.length > 0 ? [t('roles.summary.clause', { verbs: formatList(plain.map(verb)), object: object('plain') })] : []),
    ...(revisions.length > 0
      ? [t(plain.length > 0 ? 'roles.summary.theirRevisions' : 'roles.summary.revisions', {
          verbs: formatList(revisions.map(verb)),
          object: object('with'),
        })]
      : []),
  ];
}

function verb(action: string): string {
  return isNamed(action) ? t(`roles.verb.${action}`) : action;
}

/** The things of an area, in the two cases that sentences need (“Einträge”, “mit Einträgen”). */
function targetWords(area: Area, targets: readonly string[], names: Names): (form: 'plain' | 'with') => string {
  if (targets.length === 0) return (form) => t(`roles.object.${area}.${form}` satisfies Key);
  const list = formatList(targets.map((it) => targetLabel(area, it, names)));
  const single = area === 'content' && targets.every((it) => it.includes(':'));
  const kind = single ? 'entry' : isWorkspaceArea(area) ? area : 'other';
  return (form) => t(`roles.objectOf.${kind}.${form}`, { list, count: targets.length, area: t(`roles.object.${area}.${form}`) });
}

/** Returns the label of one target. */
export function targetLabel(area: Area, target: string, names: Names): string {
  if (area === 'content') {
    const [type = '', ...item] = target.split(':');
    const label = names.type(type);
    return item.length > 0 ? t('roles.target.entry', { type: label, id: item.join(':') }) : label;
  }
  if (area === 'schema') return names.type(target);
  if (area === 'workspaces') return names.workspace(target);
  if (area === 'media' && target.startsWith('category:')) return t('roles.target.category', { name: target.slice(9) });
  return t('roles.target.quoted', { text: target });
}

function conditions(shape: GrantShape): string[] {
  const form = shape.effect === 'deny' ? 'deny' : 'allow';
  const { own, status = [], locales = [] } = shape.conditions;
  const { fields = [] } = shape;
  return [
    ...(own ? [t(`roles.condition.own.${form}`)] : []),
    ...(status.length > 0 ? [t(`roles.condition.status.${form}`, { list: either(status.map(statusName)) })] : []),
    ...(locales.length > 0 ? [t(`roles.condition.locales.${form}`, { list: either(locales), count: locales.length })] : []),
    ...(fields.length > 0
      ? [t(`roles.condition.fields.${form}`, { list: form === 'deny' ? either(fields) : formatList(fields), count: fields.length })]
      : []),
  ];
}

function where(shape: GrantShape, names: Names): string[] {
  const inside = AREAS.some((area) => isWorkspaceArea(area) && shape.areas[area]);
  if (shape.scope.length === 0 || !inside) return [];
  return [t('roles.summary.where', { list: formatList(shape.scope.map(names.workspace)), count: shape.scope.length })];
}

function rawSummary({ effect, actions, resources, ...rest }: Grant): string {
  const shape: GrantShape = { effect, scope: [], areas: {}, conditions: rest.conditions ?? {}, fields: rest.fields };
  return t(effect === 'deny' ? 'roles.summary.rawDeny' : 'roles.summary.rawAllow', {
    actions: formatList(actions),
    resources: formatList(resources),
    rest: conditions(shape).map((it) => t('roles.summary.part', { text: it })).join(''),
  });
}

/** The name of an action where it stands alone: on a box to tick. */
export function actionLabel(action: string): string {
  return isNamed(action) ? t(`roles.action.${action satisfies NamedAction}`) : action;
}
