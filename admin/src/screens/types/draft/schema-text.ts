/** The schema as text, both ways. */
import type { FieldDefinition, FieldKind } from '~/api/fields';
import { isObject } from '~/fields/shape';
import { type DraftBlock, type DraftField, fieldOf, inputOf, type TypeDraft } from './draft';
import { FIELD_KINDS } from './kinds';

/** Returns a draft as JSON, without its name. */
export function draftText(draft: TypeDraft): string {
  return `${JSON.stringify(inputOf(draft), null, 2)}\n`;
}

/** The defect that keeps a text from being a content type: a sentence's key and its subject. */
export interface TextDefect {
  reason: 'syntax' | 'object' | 'setting' | 'fields' | 'field' | 'kind';
  about: string;
}

/**
 * The draft that a text describes. Fields that have the same key as before stay who they are, so a
 * rename that is under way is not forgotten; what this version does not know is kept.
 */
export function parseDraft(text: string, before: TypeDraft): { draft: TypeDraft } | { defect: TextDefect } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { defect: { reason: 'syntax', about: error instanceof Error ? error.message : '' } };
  }
  if (!isObject(value)) return { defect: { reason: 'object', about: '' } };
  const { fields, ...settings } = value;
  if (!isObject(fields)) return { defect: { reason: 'fields', about: 'fields' } };
  const defect = settingDefect(settings) ?? fieldsDefect(fields, 'fields');
  if (defect) return { defect };
  const definitions = Object.entries(fields as Record<string, FieldDefinition>);
  const known = ['label', 'label_singular', 'icon', 'singleton', 'visibility', 'drafts', 'locales', 'default_locale', 'slug_field', 'slug_source', 'preview', 'cache', 'feed', 'views'];
  const rest = Object.fromEntries(Object.entries(settings).filter(([key]) => !known.includes(key)));
  const given = Object.fromEntries(Object.entries(settings).filter(([key, it]) => known.includes(key) && !(key === 'label_singular' && it === null)));
  return { draft: { ...before, ...LEFT_OUT, ...given, rest, fields: matched(definitions, before.fields) } };
}

/** The settings that a text without them does not have. */
const LEFT_OUT = { label_singular: '', preview: [], cache: {}, feed: null, views: {} } as const;

const SHAPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  label: (it) => typeof it === 'string',
  label_singular: (it) => it === null || typeof it === 'string',
  icon: (it) => typeof it === 'string',
  singleton: (it) => typeof it === 'boolean',
  visibility: (it) => it === 'public' || it === 'private',
  drafts: (it) => typeof it === 'boolean',
  locales: (it) => Array.isArray(it) && it.every((one) => typeof one === 'string'),
  default_locale: (it) => typeof it === 'string',
  slug_field: (it) => typeof it === 'string',
  slug_source: (it) => typeof it === 'string',
  preview: (it) => Array.isArray(it) && it.every((one) => isObject(one) && typeof one.label === 'string' && typeof one.url === 'string'),
  views: isObject,
  cache: (it) => isObject(it) && Object.values(it).every((one) => one === null || typeof one === 'number'),
  feed: (it) => it === null || (isObject(it) && typeof it.url === 'string' && Object.values(it).every((one) => one === null || typeof one === 'string')),
};

function settingDefect(settings: Record<string, unknown>): TextDefect | undefined {
  const wrong = Object.entries(SHAPES).find(([key, fits]) => settings[key] !== undefined && !fits(settings[key]));
  return wrong && { reason: 'setting', about: wrong[0] };
}

function fieldsDefect(fields: Record<string, unknown>, path: string): TextDefect | undefined {
  for (const [key, definition] of Object.entries(fields)) {
    const defect = fieldDefect(definition, `${path}.${key}`);
    if (defect) return defect;
  }
  return undefined;
}

/** Checks whether the parts that the builder has to walk through have the shape it expects. */
function fieldDefect(definition: unknown, path: string): TextDefect | undefined {
  if (!isObject(definition)) return { reason: 'field', about: path };
  const { type = 'text', fields, subfields, blocks } = definition;
  if (!FIELD_KINDS.includes(type as FieldKind)) return { reason: 'kind', about: `${path}.type` };
  if (type === 'object' && fields !== undefined) {
    return isObject(fields) ? fieldsDefect(fields, `${path}.fields`) : { reason: 'fields', about: `${path}.fields` };
  }
  if (type === 'repeater' && subfields !== undefined) return rowsDefect(subfields, `${path}.subfields`);
  return type === 'blocks' && blocks !== undefined ? blocksDefect(blocks, `${path}.blocks`) : undefined;
}

function rowsDefect(rows: unknown, path: string): TextDefect | undefined {
  if (!Array.isArray(rows)) return { reason: 'fields', about: path };
  const index = rows.findIndex((it) => !isObject(it) || typeof it.key !== 'string');
  if (index >= 0) return { reason: 'field', about: `${path}[${index}]` };
  return fieldsDefect(Object.fromEntries(rows.map((it, index) => [`${index}`, it])), path);
}

function blocksDefect(blocks: unknown, path: string): TextDefect | undefined {
  if (!isObject(blocks)) return { reason: 'fields', about: path };
  for (const [key, block] of Object.entries(blocks)) {
    if (!isObject(block)) return { reason: 'field', about: `${path}.${key}` };
    const { fields = {} } = block;
    if (!isObject(fields)) return { reason: 'fields', about: `${path}.${key}.fields` };
    const defect = fieldsDefect(fields, `${path}.${key}.fields`);
    if (defect) return defect;
  }
  return undefined;
}

/** Nodes for definitions that take over who they are from those with the same keys. */
function matched(definitions: readonly [string, FieldDefinition][], before: readonly DraftField[]): DraftField[] {
  return definitions.map(([key, definition]) => adopted(fieldOf(key, definition, false), before));
}

function adopted(field: DraftField, before: readonly DraftField[]): DraftField {
  const was = before.find((it) => it.key === field.key);
  if (!was) return field;
  return {
    ...field,
    uid: was.uid,
    saved: was.saved,
    fields: field.fields.map((it) => adopted(it, was.fields)),
    blocks: field.blocks.map((it) => adoptedBlock(it, was.blocks)),
  };
}

function adoptedBlock(block: DraftBlock, before: readonly DraftBlock[]): DraftBlock {
  const was = before.find((it) => it.key === block.key);
  return was ? { ...block, uid: was.uid, saved: was.saved, fields: block.fields.map((it) => adopted(it, was.fields)) } : block;
}
