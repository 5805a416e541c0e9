/** The consequences of a change of a content type for existing entries, as separate points. */
import { fieldLabel } from '~/api/fields';
import type { UpdateEffects } from '~/api/schema';
import { type DraftField, isField, type TypeDraft } from './draft';
import { nodeLabel } from './edit';

/** The server's report on one field. */
export interface FieldEffect {
  field: string;
  renamed_from?: string;
  entries: number;
  invalid: number;
  lost: number;
  kept: number;
}

/** One thing that happens. */
export type Point =
  | { kind: 'removed' | 'notMigrated'; label: string; entries: number; from: string }
  | { kind: 'renamed'; label: string; entries: number; from: string; to: string }
  | { kind: 'required' | 'invalid'; label: string; entries: number }
  | { kind: 'kind'; label: string; entries: number; invalid: number; from: string; to: string }
  | { kind: 'nested' | 'condition'; label: string; names: string }
  | { kind: 'locale'; label: string }
  | { kind: 'private' | 'public' }
  | { kind: 'singleton' };

/** The points of a change: what is lost from sight first. Empty when nobody has to be asked. */
export function impactPoints(saved: TypeDraft, draft: TypeDraft, effects: UpdateEffects): Point[] {
  const fields = effects.fields as unknown as readonly FieldEffect[];
  const values = fields.flatMap((it) => pointsOfField(saved, draft, it));
  const rank = ['removed', 'notMigrated', 'renamed', 'kind', 'required', 'invalid'];
  values.sort((a, b) => rank.indexOf(a.kind) - rank.indexOf(b.kind));
  return [...values, ...nestedPoints(saved, draft), ...conditionPoints(saved, draft), ...typePoints(saved, draft, effects.entries)];
}

function pointsOfField(saved: TypeDraft, draft: TypeDraft, effect: FieldEffect): Point[] {
  const { field: name, entries, invalid, lost, renamed_from: from } = effect;
  const before = saved.fields.find((it) => it.key === (from ?? name));
  const now = draft.fields.find((it) => it.key === name);
  if (!now || now.saved === undefined) {
    const other = draft.fields.find((it) => it.saved === name && it.key !== name);
    const label = fieldLabel(name, before?.definition);
    if (lost > 0) return [{ kind: other ? 'notMigrated' : 'removed', label, entries: lost, from: name }];
    if (!now) return [];
  }
  const label = nodeLabel(now);
  const points: Point[] = from && entries > 0 ? [{ kind: 'renamed', label, entries, from, to: name }] : [];
  const [was, is] = [before?.definition, now.definition];
  if (was && was.type !== is.type) {
    if (entries > 0) points.push({ kind: 'kind', label, entries, invalid, from: was.type, to: is.type });
  } else if (invalid > 0) {
    const newlyRequired = is.required && !was?.required;
    points.push({ kind: newlyRequired ? 'required' : 'invalid', label, entries: invalid });
  }
  return points;
}

/** Fields inside of others that go or change their names: the server knows no way to take values along. */
function nestedPoints(saved: TypeDraft, draft: TypeDraft): Point[] {
  return draft.fields.flatMap((field) => {
    const before = saved.fields.find((it) => it.key === field.saved);
    if (!before || before.definition.type !== field.definition.type) return [];
    const still = paths(field);
    const gone = paths(before).filter((it) => !still.includes(it));
    return gone.length > 0 ? [{ kind: 'nested', label: nodeLabel(field), names: gone.join(', ') } as const] : [];
  });
}

/** Fields whose condition names a field beside them that is gone: they are not shown any more. */
function conditionPoints(saved: TypeDraft, draft: TypeDraft): Point[] {
  const before = new Set(saved.fields.map((it) => it.key));
  const now = new Set(draft.fields.map((it) => it.key));
  return draft.fields.flatMap((field) => {
    const gone = Object.keys(field.definition.visible_if ?? {}).filter((it) => before.has(it) && !now.has(it));
    return gone.length > 0 ? [{ kind: 'condition', label: nodeLabel(field), names: gone.join(', ') } as const] : [];
  });
}

function paths(field: DraftField, prefix = ''): string[] {
  const below = [...field.fields, ...field.blocks].map((it) => ({ node: it, path: prefix + it.key }));
  return below.flatMap(({ node, path }) => [
    path,
    ...(isField(node) ? paths(node, `${path}.`) : node.fields.flatMap((it) => [`${path}.${it.key}`, ...paths(it, `${path}.${it.key}.`)])),
  ]);
}

function typePoints(saved: TypeDraft, draft: TypeDraft, entries: number): Point[] {
  const points: Point[] = [];
  if (saved.visibility !== draft.visibility && entries > 0) points.push({ kind: draft.visibility });
  if (!saved.singleton && draft.singleton && entries > 0) points.push({ kind: 'singleton' });
  if (entries > 0) {
    for (const code of saved.locales) if (!draft.locales.includes(code)) points.push({ kind: 'locale', label: code });
  }
  return points;
}
