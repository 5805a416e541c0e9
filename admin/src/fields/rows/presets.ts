/** Presets of blocks in the schema, kept from what is in an entry. */
import type { FieldDefinition, Preset } from '~/api/fields';
import { ID, isObject, TYPE } from '../shape';

/** The keys from a schema down to a definition: `fields`, `body`. Of rows, the number of the subfield. */
export type DefinitionPath = readonly (string | number)[];

/** Finds the definition of a field for blocks in a type: the one with the very same blocks. */
export function findDefinition(fields: unknown, blocks: FieldDefinition['blocks'], path: DefinitionPath = ['fields']): DefinitionPath | undefined {
  if (!blocks || typeof fields !== 'object' || fields === null) return undefined;
  for (const [key, value] of Object.entries(fields)) {
    if (!isObject(value)) continue;
    const at = [...path, Array.isArray(fields) ? Number(key) : key];
    const { blocks: own, fields: parts, subfields } = value;
    if (own === blocks) return at;
    const inside = [...Object.entries(isObject(own) ? own : {}).map(([name, it]) => [it, [...at, 'blocks', name]] as const), [value, at] as const];
    for (const [it, where] of inside) {
      const found = findDefinition(isObject(it) ? it.fields : undefined, blocks, [...where, 'fields']);
      if (found) return found;
    }
    const found = findDefinition(parts === undefined ? subfields : undefined, blocks, [...at, 'subfields']);
    if (found) return found;
  }
  return undefined;
}

/** A copy of a schema in which the definition at a path has one more preset; nothing when there is none. */
export function withPreset(schema: Readonly<Record<string, unknown>>, path: DefinitionPath, preset: Preset): Record<string, unknown> | undefined {
  const copy = structuredClone(schema) as Record<string, unknown>;
  let node: unknown = copy;
  for (const key of path) node = typeof node === 'object' && node !== null ? (node as Record<string | number, unknown>)[key] : undefined;
  if (!isObject(node) || node.type !== 'blocks') return undefined;
  node.presets = [...(Array.isArray(node.presets) ? (node.presets as unknown[]) : []), preset];
  return copy;
}

/** Rows as a preset has them: without the ids of their blocks. */
export function presetRows(rows: readonly unknown[]): Preset['rows'] {
  return rows.filter(isObject).map((row) => withoutIds(row) as Record<string, unknown>);
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds);
  if (!isObject(value)) return value;
  const isBlock = typeof value[TYPE] === 'string';
  return Object.fromEntries(Object.entries(value).flatMap(([name, it]) => (isBlock && name === ID ? [] : [[name, withoutIds(it)]])));
}
