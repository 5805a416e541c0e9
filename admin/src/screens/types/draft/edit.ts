/** The changes that can be made to a draft. Every function gives a new draft and leaves the old one as it was. */
import { type FieldDefinition, type FieldKind, fieldLabel } from '~/api/fields';
import type { Feed } from '~/api/schema';
import { presetsOf } from '~/fields/rows/rows';
import { blockType, TYPE } from '~/fields/shape';
import { language } from '~/i18n';
import {
  containerOf, type DraftBlock, type DraftField, definitionOf, fieldOf, fieldsIn, isField, newUid, ROOT, pathTo, type TypeDraft,
} from './draft';
import { withKind } from './kinds';
import { fieldNameFor, typeNameFor } from './names';
import { singularFor } from './singular';
import { renamedViews } from './views';

type Fields = readonly DraftField[];

function walk(fields: Fields, each: (field: DraftField) => DraftField, block: (block: DraftBlock) => DraftBlock): Fields {
  return fields.map((field) =>
    each({
      ...field,
      fields: walk(field.fields, each, block),
      blocks: field.blocks.map((it) => block({ ...it, fields: walk(it.fields, each, block) })),
    }),
  );
}

/** Changes the list of fields of a container. */
export function changeList(draft: TypeDraft, container: string, change: (fields: Fields) => Fields): TypeDraft {
  if (container === ROOT) return { ...draft, fields: change(draft.fields) };
  const inside = <T extends DraftField | DraftBlock>(node: T): T =>
    node.uid === container ? { ...node, fields: change(node.fields) } : node;
  return { ...draft, fields: walk(draft.fields, inside, inside) };
}

function changeField(draft: TypeDraft, uid: string, change: (field: DraftField) => DraftField): TypeDraft {
  const each = (field: DraftField) => (field.uid === uid ? change(field) : field);
  return { ...draft, fields: walk(draft.fields, each, (block) => block) };
}

function names(list: readonly { uid: string; key: string }[], except?: string): string[] {
  return list.filter((it) => it.uid !== except).map((it) => it.key);
}

/** Adds a field at the end of a container, named after its label. */
export function addField(draft: TypeDraft, container: string, kind: FieldKind, label: string): { draft: TypeDraft; uid: string } {
  const key = fieldNameFor(label, names(fieldsIn(draft, container)), kind);
  const inside = kind === 'repeater' ? { subfields: [] } : kind === 'object' ? { fields: {} } : kind === 'blocks' ? { blocks: {} } : {};
  const options = kind === 'select' ? { options: [] } : {};
  const field = { ...fieldOf(key, { type: kind, label, ...options, ...inside }, false), keyTouched: false };
  return { draft: changeList(draft, container, (fields) => [...fields, field]), uid: field.uid };
}

/** Puts a field into a container at a place: one that was taken out, say. */
export function insertField(draft: TypeDraft, container: string, index: number, field: DraftField): TypeDraft {
  return changeList(draft, container, (fields) => fields.toSpliced(index, 0, field));
}

/** Takes a field out, with all that is inside it. */
export function removeField(draft: TypeDraft, uid: string): TypeDraft {
  return changeList(draft, containerOf(draft, uid), (fields) => fields.filter((it) => it.uid !== uid));
}

/** Brings a field to another place in its container. */
export function moveField(draft: TypeDraft, container: string, uid: string, to: number): TypeDraft {
  return changeList(draft, container, (fields) => moveByUid(fields, uid, to));
}

/** A list with one item at another place; as it was when there is no such place. */
function moveByUid<T extends { uid: string }>(items: readonly T[], uid: string, to: number): readonly T[] {
  const item = items.find((it) => it.uid === uid);
  if (!item || to < 0 || to >= items.length) return items;
  return items.filter((it) => it !== item).toSpliced(to, 0, item);
}

/** Puts a copy behind a field. */
export function duplicateField(draft: TypeDraft, uid: string): { draft: TypeDraft; uid: string } {
  const container = containerOf(draft, uid);
  const fields = fieldsIn(draft, container);
  const index = fields.findIndex((it) => it.uid === uid);
  const field = fields[index];
  if (!field) return { draft, uid };
  const copy = fieldOf(fieldNameFor(field.key, names(fields), field.key), definitionOf(field), false);
  return { draft: insertField(draft, container, index + 1, copy), uid: copy.uid };
}

/** Changes settings of a field; `undefined` takes one away. */
export function setDefinition(draft: TypeDraft, uid: string, change: Partial<FieldDefinition>): TypeDraft {
  return changeField(draft, uid, (field) => {
    const definition = { ...field.definition, ...change };
    for (const [key, value] of Object.entries(change)) if (value === undefined) delete definition[key];
    return { ...field, definition };
  });
}

/** Gives a field another label; a key that nobody chose follows it. */
export function setLabel(draft: TypeDraft, uid: string, label: string): TypeDraft {
  const labelled = setDefinition(draft, uid, { label: label || undefined });
  const field = pathTo(draft, uid).at(-1);
  if (!field || !isField(field) || field.keyTouched) return labelled;
  const others = names(fieldsIn(draft, containerOf(draft, uid)), uid);
  return renamed(labelled, uid, fieldNameFor(label, others, field.definition.type));
}

/** Gives a field another key, and tells those that name it. */
export function setKey(draft: TypeDraft, uid: string, key: string): TypeDraft {
  return changeField(renamed(draft, uid, key), uid, (field) => ({ ...field, keyTouched: true }));
}

function renamed(draft: TypeDraft, uid: string, to: string): TypeDraft {
  const container = containerOf(draft, uid);
  const from = fieldsIn(draft, container).find((it) => it.uid === uid)?.key;
  if (from === undefined || from === to) return draft;
  const next = changeList(draft, container, (fields) =>
    fields.map((it) => (it.uid === uid ? { ...it, key: to } : { ...it, definition: pointed(it.definition, from, to) })),
  );
  if (container !== ROOT) return next;
  return { ...next, slug_source: draft.slug_source === from ? to : draft.slug_source, feed: draft.feed && renamedFeed(draft.feed, from, to), views: renamedViews(draft.views, from, to) };
}

/** A feed that names a field by its new key. */
function renamedFeed(feed: Feed, from: string, to: string): Feed {
  return Object.fromEntries(Object.entries(feed).map(([key, it]) => [key, key !== 'url' && it === from ? to : it])) as unknown as Feed;
}

/** A definition whose conditions and settings name a neighbour by its new key. */
function pointed(definition: FieldDefinition, from: string, to: string): FieldDefinition {
  const { visible_if } = definition;
  const naming = (['source', 'alt_field', 'caption_field'] as const).filter((it) => definition[it] === from);
  const conditions = visible_if && from in visible_if;
  return {
    ...definition,
    ...(conditions && {
      visible_if: Object.fromEntries(Object.entries(visible_if).map(([key, value]) => [key === from ? to : key, value])),
    }),
    ...Object.fromEntries(naming.map((it) => [it, to])),
  };
}

/** Makes a field one of another kind. */
export function setKind(draft: TypeDraft, uid: string, kind: FieldKind): TypeDraft {
  return changeField(draft, uid, (field) => {
    const definition = withKind(field.definition, kind);
    const blank = kind === 'select' && !definition.options ? { options: [] } : {};
    return { ...field, definition: { ...definition, ...blank } };
  });
}

function changeBlocks(draft: TypeDraft, field: string, change: (blocks: readonly DraftBlock[]) => readonly DraftBlock[]): TypeDraft {
  return changeField(draft, field, (it) => ({ ...it, blocks: change(it.blocks) }));
}

/** Adds a block type to a field for blocks. */
export function addBlock(draft: TypeDraft, field: string, label: string): { draft: TypeDraft; uid: string } {
  const uid = newUid();
  const add = (blocks: readonly DraftBlock[]) => {
    const key = fieldNameFor(label, names(blocks), 'block');
    return [...blocks, { uid, key, keyTouched: false, saved: undefined, rest: { label }, fields: [] }];
  };
  return { draft: changeBlocks(draft, field, add), uid };
}

/** Gives a block type another label; a key that nobody chose follows it. */
export function setBlockLabel(draft: TypeDraft, field: string, uid: string, label: string): TypeDraft {
  return changeBlock(draft, field, uid, (it, others) => {
    const key = it.keyTouched ? it.key : fieldNameFor(label, others, 'block');
    return { ...it, key, rest: { ...it.rest, label } };
  });
}

/** Gives a block type another key. */
export function setBlockKey(draft: TypeDraft, field: string, uid: string, key: string): TypeDraft {
  return changeBlock(draft, field, uid, (it) => ({ ...it, key, keyTouched: true }));
}

/** A setting of a block type that the menu of blocks shows. */
export type BlockHint = 'description' | 'group' | 'icon';

/** Sets what the menu of blocks shows about a block type. An empty text removes it. */
export function setBlockHint(draft: TypeDraft, field: string, uid: string, hint: BlockHint, text: string): TypeDraft {
  return changeBlock(draft, field, uid, (it) => {
    const { [hint]: _, ...rest } = it.rest;
    return { ...it, rest: text === '' ? rest : { ...rest, [hint]: text } };
  });
}

/** Changes a block type; the presets name it by its new key. */
function changeBlock(draft: TypeDraft, field: string, uid: string, change: (block: DraftBlock, others: readonly string[]) => DraftBlock): TypeDraft {
  return changeField(draft, field, (it) => {
    const before = it.blocks.find((block) => block.uid === uid);
    if (!before) return it;
    const after = change(before, names(it.blocks, uid));
    const blocks = it.blocks.map((block) => (block === before ? after : block));
    const presets = presetsOf(it.definition);
    if (before.key === after.key || presets.length === 0) return { ...it, blocks };
    const renamed = presets.map((preset) => ({
      ...preset,
      rows: preset.rows.map((row) => (blockType(row) === before.key ? { ...row, [TYPE]: after.key } : row)),
    }));
    return { ...it, blocks, definition: { ...it.definition, presets: renamed } };
  });
}

/** Takes a block type out, with its fields. */
export function removeBlock(draft: TypeDraft, field: string, uid: string): TypeDraft {
  return changeBlocks(draft, field, (blocks) => blocks.filter((it) => it.uid !== uid));
}

/** Brings a block type to another place. */
export function moveBlock(draft: TypeDraft, field: string, uid: string, to: number): TypeDraft {
  return changeBlocks(draft, field, (blocks) => moveByUid(blocks, uid, to));
}

/** Gives the type another label; a name and a word for one entry that nobody chose follow it. */
export function setTypeLabel(draft: TypeDraft, label: string, taken: readonly string[]): TypeDraft {
  const name = draft.nameTouched ? draft.name : typeNameFor(label, taken);
  return { ...draft, label, name, label_singular: draft.singularTouched ? draft.label_singular : singularFor(label, language()) };
}

/** Sets the locales; the default stays one of them. */
export function setLocales(draft: TypeDraft, locales: readonly string[]): TypeDraft {
  const still = locales.includes(draft.default_locale);
  return { ...draft, locales, default_locale: still ? draft.default_locale : (locales[0] ?? '') };
}

/** Returns the label of a node. */
export function nodeLabel(node: DraftField | DraftBlock): string {
  return isField(node) ? fieldLabel(node.key, node.definition) : node.rest.label || fieldLabel(node.key, undefined);
}
