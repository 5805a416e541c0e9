/** The fields of a list: those of every entry, and those of its type, with dots into objects. */
import { type ContentTypeShape, type FieldDefinition, fieldLabel } from '~/api/fields';
import type { Operator } from '~/api/operators';
import type { AdminEntry } from '~/api/schema';
import { type Key, t } from '~/i18n';
import { CHOSEN, listKindOf } from './list-kinds';

/** One thing that a list can show, sort by or filter by. */
export interface ListField {
  /** The key that the API uses: `title`, `updated_at`, `seo.description`. */
  key: string;
  label: string;
  definition: FieldDefinition;
  /** True if it is one of those that every entry has. */
  system: boolean;
}

const SYSTEM: readonly (readonly [string, FieldDefinition])[] = [
  ['status', { type: 'select' }],
  ['published_at', { type: 'datetime' }],
  ['unpublish_at', { type: 'datetime' }],
  ['created_at', { type: 'datetime' }],
  ['updated_at', { type: 'datetime' }],
  ['author_id', { type: 'text' }],
  ['updated_by', { type: 'text' }],
  ['id', { type: 'text' }],
];

/** Keys whose values are users. */
export const USER_KEYS: readonly string[] = ['author_id', 'updated_by'];

/** All fields of a list, the title first, in the order of the type. */
export function listFields(type: ContentTypeShape): ListField[] {
  const { title, ...rest } = type.fields;
  return [
    { key: 'title', label: fieldLabel('title', title), definition: title ?? { type: 'text' }, system: false },
    ...SYSTEM.slice(0, 1).map(systemField),
    ...Object.entries(rest).flatMap(([name, definition]) => flatten(name, definition, '')),
    ...SYSTEM.slice(1).map(systemField),
  ];
}

function systemField([key, definition]: readonly [string, FieldDefinition]): ListField {
  return { key, label: t(`content.field.${key}` as Key), definition, system: true };
}

function flatten(key: string, definition: FieldDefinition, prefix: string): ListField[] {
  const name = key.split('.').at(-1) ?? key;
  const label = prefix + fieldLabel(name, definition);
  if (definition.type !== 'object') return [{ key, label, definition, system: false }];
  return Object.entries(definition.fields ?? {}).flatMap(([inner, of]) => flatten(`${key}.${inner}`, of, `${label} › `));
}

/** The value of a field, as the entry holds it. */
export function valueOf(entry: AdminEntry, field: ListField): unknown {
  if (field.system || field.key === 'title' || field.key === 'slug') return entry[field.key as keyof AdminEntry];
  let value: unknown = entry.data;
  for (const part of field.key.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Names for `fields=`, so that the server sends what is shown and nothing else. */
export function fieldsParam(fields: readonly ListField[]): string {
  const names = fields.filter((it) => !it.system && it.key !== 'slug').map((it) => it.key.split('.')[0] ?? it.key);
  return [...new Set(['title', ...names])].join(',');
}

/** Checks whether sorting by it means something to a reader. */
export function isSortable({ key, definition }: ListField): boolean {
  return listKindOf(definition).isSortable === true && !definition.multiple && !USER_KEYS.includes(key);
}

/** The operators that make sense for a field, the likeliest first. */
export function operatorsOf({ key, definition }: ListField): readonly Operator[] {
  if (key === 'id') return ['eq', 'in'];
  if (key === 'status') return ['eq', 'ne', 'in', 'nin'];
  return USER_KEYS.includes(key) ? CHOSEN : listKindOf(definition).operators;
}

/** Checks whether a value is small enough to be changed in its cell, or for many entries at once. */
export function isSimple({ key, definition, system }: ListField): boolean {
  if (key.includes('.') || definition.readonly || definition.hidden) return false;
  return system ? key === 'status' : listKindOf(definition).isInline === true;
}
