/**
 * The check of rows that come from elsewhere (the clipboard, a preset) against the definition of the
 * field that is to take them. Nothing that the field does not know gets in, whoever wrote it.
 */
import { type FieldDefinition, fieldLabel, selectOptions, subfieldsOf } from '~/api/fields';
import { t } from '~/i18n';
import { chosenValues } from '../options';
import { blockType, fitsKind, ID, isEmpty, isObject, TYPE } from '../shape';
import { newBlockId } from './ids';

/** Something outside the entry that a value names. */
export interface Reference {
  kind: 'media' | 'entry' | 'link';
  /** The content type of an entry. */
  type: string;
  /** The filename, or the id. */
  name: string;
}

export interface Fitted {
  /** The rows that the field can take, each with an id of its own where it is a block. */
  rows: Record<string, unknown>[];
  /** The labels of rows that it cannot take. */
  refused: string[];
  /** The labels of values that were left out of the others. */
  dropped: string[];
  references: Reference[];
}

/** Checks whether a file or an entry that a value names is there. */
type IsThere = (reference: Reference) => boolean;

/** Makes rows fit a field: what it does not know, or what names something that is not there, is left out. */
export function fitRows(definition: FieldDefinition, rows: readonly unknown[], isThere: IsThere = () => true): Fitted {
  const fitted: Fitted = { rows: [], refused: [], dropped: [], references: [] };
  fitted.rows = fitAll(definition, rows, '', { fitted, isThere });
  return fitted;
}

/** Checks whether a field can take at least one of the rows. */
export function takesAny(definition: FieldDefinition, rows: readonly unknown[]): boolean {
  return rows.some((row) => fieldsFor(definition, row) !== undefined);
}

interface Fitting {
  fitted: Fitted;
  isThere: IsThere;
}

function fitAll(definition: FieldDefinition, rows: readonly unknown[], path: string, fitting: Fitting): Record<string, unknown>[] {
  return rows.flatMap((row) => {
    const fields = fieldsFor(definition, row);
    if (!fields || !isObject(row)) {
      fitting.fitted.refused.push(`${path}${rowLabel(definition, row)}`);
      return [];
    }
    const type = definition.type === 'blocks' ? { [TYPE]: row[TYPE], [ID]: newBlockId() } : {};
    return [{ ...type, ...fitParts(fields, row, `${path}${rowLabel(definition, row)} › `, fitting) }];
  });
}

/** The fields that a row has in a definition; nothing when it is no row of it. */
function fieldsFor(definition: FieldDefinition, row: unknown): Readonly<Record<string, FieldDefinition>> | undefined {
  if (!isObject(row)) return undefined;
  const type = blockType(row);
  if (definition.type === 'blocks') {
    const blocks = definition.blocks ?? {};
    return type !== undefined && Object.hasOwn(blocks, type) ? (blocks[type]?.fields ?? {}) : undefined;
  }
  const fields = subfieldsOf(definition);
  const names = Object.keys(row).filter((name) => name !== TYPE && name !== ID && !isEmpty(row[name]));
  const isBlank = names.length === 0 && type === undefined;
  return isBlank || names.some((name) => Object.hasOwn(fields, name)) ? fields : undefined;
}

function rowLabel(definition: FieldDefinition, row: unknown): string {
  const type = blockType(row);
  if (type === undefined) return definition.type === 'blocks' ? '?' : t('fields.rows.item');
  const blocks = definition.blocks ?? {};
  const label = Object.hasOwn(blocks, type) ? blocks[type]?.label : undefined;
  return fieldLabel(type.slice(0, 64), { type: 'object', label });
}

function fitParts(fields: Readonly<Record<string, FieldDefinition>>, values: Readonly<Record<string, unknown>>, path: string, fitting: Fitting) {
  for (const name of Object.keys(values)) {
    const known = name === TYPE || name === ID || Object.hasOwn(fields, name);
    if (!known && !isEmpty(values[name])) fitting.fitted.dropped.push(`${path}${fieldLabel(name.slice(0, 64), undefined)}`);
  }
  const parts: [string, unknown][] = [];
  for (const [name, definition] of Object.entries(fields)) {
    if (!Object.hasOwn(values, name) || isEmpty(values[name])) continue;
    const label = `${path}${fieldLabel(name, definition)}`;
    const value = fitValue(definition, values[name], label, fitting);
    if (value === undefined) fitting.fitted.dropped.push(label);
    else parts.push([name, value]);
  }
  return Object.fromEntries(parts);
}

/** The value as the field can take it; nothing when it cannot. */
function fitValue(definition: FieldDefinition, value: unknown, label: string, fitting: Fitting): unknown {
  if (!fitsKind(definition, value)) return undefined;
  switch (definition.type) {
    case 'object':
      return isObject(value) ? fitParts(definition.fields ?? {}, value, `${label} › `, fitting) : undefined;
    case 'repeater':
    case 'blocks':
      return fitAll(definition, value as unknown[], `${label} › `, fitting);
    case 'select': {
      const options = new Set(selectOptions(definition).map((it) => it.value));
      return chosenValues(value).every((it) => options.has(it)) ? value : undefined;
    }
    case 'media':
      return fitNames(definition, value, label, 'media', fitting);
    case 'relation':
      return fitNames(definition, value, label, 'entry', fitting);
    case 'markdown':
    case 'html':
      return noteLinks(String(value), fitting);
    default:
      return value;
  }
}

/** The named files or entries that are there, as a list or as the only one. */
function fitNames(definition: FieldDefinition, value: unknown, label: string, kind: 'media' | 'entry', fitting: Fitting): unknown {
  const names = chosenValues(value);
  const kept = names.filter((name) => {
    const reference = { kind, type: kind === 'entry' ? (definition.target ?? '') : '', name };
    fitting.fitted.references.push(reference);
    return fitting.isThere(reference);
  });
  const own = kind === 'media' && !definition.multiple ? kept.slice(0, 1) : kept;
  for (const name of names) if (!own.includes(name)) fitting.fitted.dropped.push(`${label}: ${name.slice(0, 80)}`);
  if (Array.isArray(value)) return own;
  return own[0] ?? null;
}

/** Links to entries stay as they are written; those that lead nowhere are named. */
function noteLinks(text: string, { fitted }: Fitting): string {
  for (const [, type = '', name = ''] of text.matchAll(/\brecto:([\w-]{1,64})\/([\w-]{1,64})/g)) fitted.references.push({ kind: 'link', type, name });
  return text;
}
