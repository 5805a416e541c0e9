/** The changes that can be made to the rows of a repeater and the blocks of a text. */
import { type FieldDefinition, fieldLabel, type Preset, subfieldsOf } from '~/api/fields';
import { t } from '~/i18n';
import { ID, isObject, TYPE } from '../shape';
import { rowSummary } from '../summary';
import { newBlockId } from './ids';

/** A kind of row: a repeater has one, blocks have as many as the schema names. */
export interface RowKind {
  /** The name of the block; empty for the rows of a repeater. */
  name: string;
  label: string;
  description?: string | undefined;
  icon?: string | undefined;
  group?: string | undefined;
  fields: Readonly<Record<string, FieldDefinition>>;
}

/** The kinds of rows that a field may have. */
export function rowKinds(definition: FieldDefinition, itemLabel: string): RowKind[] {
  if (definition.type === 'repeater') return [{ name: '', label: itemLabel, fields: subfieldsOf(definition) }];
  return Object.entries(definition.blocks ?? {}).map(([name, block]) => ({
    name,
    label: fieldLabel(name, { type: 'object', label: block.label }),
    description: block.description,
    icon: block.icon,
    group: block.group,
    fields: block.fields ?? {},
  }));
}

/** The presets of a field that say something; a file may hold anything. */
export function presetsOf({ presets }: FieldDefinition): readonly Preset[] {
  if (!Array.isArray(presets)) return [];
  return (presets as readonly unknown[]).filter(
    (it): it is Preset => isObject(it) && typeof it.label === 'string' && Array.isArray(it.rows) && it.rows.some(isObject),
  );
}

/** Of which kind a row is; of none when the schema does not know it, or when it is no row at all. */
export function rowKindOf(kinds: readonly RowKind[], definition: FieldDefinition, row: unknown): RowKind | undefined {
  if (!isObject(row)) return undefined;
  return definition.type === 'repeater' ? kinds[0] : kinds.find((it) => it.name === row[TYPE]);
}

/** The name of a row among the others: `Hero 1: Welcome`. */
export function rowName(kinds: readonly RowKind[], definition: FieldDefinition, row: unknown, index: number): string {
  const kind = rowKindOf(kinds, definition, row);
  const label = kind && kinds.length > 1 ? `${kind.label} ${index + 1}` : t('fields.rows.position', { position: index + 1 });
  const said = rowSummary(kind?.fields ?? {}, row).slice(0, 40);
  return said ? `${label}: ${said}` : label;
}

/** A new row, with the defaults of its fields. */
export function newRow(kind: RowKind): Record<string, unknown> {
  const given = Object.entries(kind.fields).filter(([, it]) => it.default !== undefined);
  return {
    ...(kind.name && { [TYPE]: kind.name, [ID]: newBlockId() }),
    ...Object.fromEntries(given.map(([name, it]) => [name, structuredClone(it.default)])),
  };
}

/** The same row once more, as one of its own: its blocks have other ids. */
export function copyRow(row: unknown): unknown {
  if (Array.isArray(row)) return row.map(copyRow);
  if (!isObject(row)) return row;
  const isBlock = typeof row[TYPE] === 'string' && ID in row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, isBlock && name === ID ? newBlockId() : copyRow(value)]));
}

/** The keys from one row to another, whichever of them comes first. */
export function keysBetween(keys: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [keys.indexOf(from), keys.indexOf(to)];
  if (a < 0 || b < 0) return b < 0 ? [] : [to];
  return keys.slice(Math.min(a, b), Math.max(a, b) + 1);
}

/** The places of rows that something is wrong in, and how much. */
export function errorCounts(errors: Readonly<Record<string, string>>, path: string): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const at of Object.keys(errors)) {
    const index = rowIndex(at, path);
    if (index !== undefined) counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return counts;
}

/** In which row of a field a path lies: `links[2].url` in the third of `links`. */
export function rowIndex(of: string, path: string): number | undefined {
  if (!of.startsWith(`${path}[`)) return undefined;
  const digits = /^(\d+)\]/.exec(of.slice(path.length + 1));
  return digits ? Number(digits[1]) : undefined;
}
