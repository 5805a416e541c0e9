/**
 * The defects of a draft, by the node that has them: what can be told here, and what the server
 * said by the path in the schema.
 */
import { type DraftBlock, type DraftField, isField, renamesOf, ROOT, type TypeDraft } from './draft';
import { isNested } from './kinds';
import { blockNameDefect, fieldNameDefect, type NameDefect, typeNameDefect } from './names';

/** By the uid of a node (the type is {@link ROOT}), then by the setting: `options[1].value`. */
export type Defects = Readonly<Record<string, Readonly<Record<string, string>>>>;

export const NO_DEFECTS: Defects = {};

/** Returns the defects of the names in a draft. Everything else is the server's to judge. */
export function nameDefects(draft: TypeDraft, others: readonly string[], say: (defect: NameDefect, of: 'type' | 'field' | 'block') => string): Defects {
  const found: Record<string, Record<string, string>> = {};
  const judge = (nodes: readonly (DraftField | DraftBlock)[]) => {
    for (const node of nodes) {
      const neighbours = nodes.filter((it) => it !== node).map((it) => it.key);
      const of = isField(node) ? 'field' : 'block';
      const defect = (of === 'field' ? fieldNameDefect : blockNameDefect)(node.key, neighbours);
      if (defect) found[node.uid] = { key: say(defect, of) };
      judge(node.fields);
      if (isField(node)) judge(node.blocks);
    }
  };
  judge(draft.fields);
  const name = typeNameDefect(draft.name, others);
  if (name) found[ROOT] = { name: say(name, 'type') };
  return found;
}

/** The parts without which nobody could write anything into a field. */
type Part = 'fields' | 'blocks' | 'options' | 'target';

/** Returns the fields that lack what they are made of: fields, block types, options, or the content type they refer to. */
export function emptyDefects(draft: TypeDraft, say: (kind: Part) => string): Defects {
  const found: Record<string, Record<string, string>> = {};
  const judge = (fields: readonly DraftField[]) => {
    for (const field of fields) {
      const { type, options, target } = field.definition;
      const inside = type === 'blocks' ? 'blocks' : type === 'repeater' ? 'subfields' : 'fields';
      if (isNested(type) && field.fields.length + field.blocks.length === 0) found[field.uid] = { [inside]: say(type === 'blocks' ? 'blocks' : 'fields') };
      if (type === 'select' && Object.keys(options ?? []).length === 0) found[field.uid] = { options: say('options') };
      if (type === 'relation' && !target) found[field.uid] = { target: say('target') };
      judge(field.fields);
      for (const block of field.blocks) judge(block.fields);
    }
  };
  judge(draft.fields);
  return found;
}

/** Returns the server's messages by the node that they are about. */
export function serverDefects(draft: TypeDraft, fields: Readonly<Record<string, string>>): Defects {
  const found: Record<string, Record<string, string>> = {};
  for (const [path, message] of Object.entries(fields)) {
    const { uid, setting } = locateSetting(draft, path);
    found[uid] = { ...found[uid], [setting]: message };
  }
  return found;
}

/** Returns the node that a path of the server leads to, and its setting: `fields.faq.subfields[0].label`. */
export function locateSetting(draft: TypeDraft, path: string): { uid: string; setting: string } {
  const [list, name = '', ...rest] = path.match(/\[\d+\]|[^.[\]]+/g) ?? [];
  if (list === 'migrations') {
    const rename = renamesOf(draft)[Number(name.slice(1, -1))];
    const renamed = rename && draft.fields.find((it) => it.key === rename.to);
    return renamed ? { uid: renamed.uid, setting: 'key' } : { uid: ROOT, setting: path };
  }
  const field = list === 'fields' ? draft.fields.find((it) => it.key === name) : undefined;
  return field ? descend(field, rest) : { uid: ROOT, setting: path };
}

function descend(node: DraftField | DraftBlock, steps: readonly string[]): { uid: string; setting: string } {
  const [list, name = '', ...rest] = steps;
  const child = childOf(node, list, name);
  if (child) return descend(child, rest);
  return { uid: node.uid, setting: steps.join('.').replaceAll('.[', '[') || 'key' };
}

function childOf(node: DraftField | DraftBlock, list: string | undefined, name: string): DraftField | DraftBlock | undefined {
  if (list === 'subfields') return node.fields[Number(name.slice(1, -1))];
  if (list === 'fields') return node.fields.find((it) => it.key === name);
  return list === 'blocks' && isField(node) ? node.blocks.find((it) => it.key === name) : undefined;
}

/** Counts the defects of a node and of those inside it. */
export function countDefects(node: DraftField | DraftBlock, defects: Defects): number {
  const inside = [...node.fields, ...(isField(node) ? node.blocks : [])];
  const own = Object.keys(defects[node.uid] ?? {}).length;
  return inside.reduce((sum, it) => sum + countDefects(it, defects), own);
}

/** Every defect in the order of the draft, for the summary. */
export function listDefects(draft: TypeDraft, defects: Defects): { uid: string; setting: string; message: string }[] {
  const of = (uid: string) => Object.entries(defects[uid] ?? {}).map(([setting, message]) => ({ uid, setting, message }));
  const within = (nodes: readonly (DraftField | DraftBlock)[]): ReturnType<typeof of> =>
    nodes.flatMap((it) => [...of(it.uid), ...within(it.fields), ...(isField(it) ? within(it.blocks) : [])]);
  return [...of(ROOT), ...within(draft.fields)];
}

/** Returns the defect of a setting itself or of something in it. */
export function defectOf(defects: Defects, uid: string, setting: string): string | undefined {
  const found = Object.entries(defects[uid] ?? {});
  return found.find(([key]) => key === setting || key.startsWith(`${setting}.`) || key.startsWith(`${setting}[`))?.[1];
}
