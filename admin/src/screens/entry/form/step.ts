/** The description of a change to a value: which part of it became another, and how. */
import { type FieldDefinition, fieldLabel } from '~/api/fields';
import { blockId, isSameValue } from '~/diff/values';
import { blockType, innerFields, isObject } from '~/fields/shape';
import { rowSummary } from '~/fields/summary';
import { labelled, t } from '~/i18n';

/** A change to one value. */
export interface Change {
  what: 'typed' | 'changed' | 'added' | 'removed' | 'moved';
  /** The path of the part that changed; of rows, the place of the first one. */
  path: string;
  /** The name of that part; nothing for the value as a whole. */
  name: string | undefined;
}

/** The kinds whose values are typed, letter by letter. */
const TYPED: ReadonlySet<string> = new Set([
  'text', 'textarea', 'markdown', 'html', 'number', 'slug', 'email', 'url', 'json', 'color', 'range',
]);

/** Finds the smallest part of a value that contains all that changed. */
export function findChange(definition: FieldDefinition, path: string, before: unknown, after: unknown, name?: string): Change {
  if (definition.type === 'object' && isObject(after)) {
    return changeOfParts(definition, path, isObject(before) ? before : {}, after) ?? { what: 'changed', path, name };
  }
  if (definition.type === 'repeater' || definition.type === 'blocks') {
    const [from, to] = [listOf(before), listOf(after)];
    return changeOfRows(definition, path, from, to) ?? { what: 'changed', path, name };
  }
  return { what: TYPED.has(definition.type) ? 'typed' : 'changed', path, name };
}

type Group = Readonly<Record<string, unknown>>;

/** The change of the one part in which two groups of values differ; nothing when there are several. */
function changeOfParts(definition: FieldDefinition, path: string, before: Group, after: Group): Change | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((it) => !isSameValue(before[it], after[it]));
  const [key = ''] = names;
  const inner = innerFields(definition, after)[key];
  if (names.length !== 1 || !inner) return undefined;
  return findChange(inner, `${path}.${key}`, before[key], after[key], fieldLabel(key, inner));
}

function changeOfRows(definition: FieldDefinition, path: string, before: readonly unknown[], after: readonly unknown[]): Change | undefined {
  const [old, now] = [new Set(before.map(keyOf)), new Set(after.map(keyOf))];
  const removed = before.filter((it) => !now.has(keyOf(it)));
  const added = after.filter((it) => !old.has(keyOf(it)));
  const told = (what: Change['what'], rows: readonly unknown[], all: readonly unknown[]): Change => ({
    what,
    path: `${path}[${all.indexOf(rows[0])}]`,
    name: nameOfRows(definition, rows),
  });
  if (removed.length > 0 && added.length === 0) return told('removed', removed, before);
  if (added.length > 0 && removed.length === 0) return told('added', added, after);
  if (before.length !== after.length) return undefined;
  const places = [...after.keys()].filter((at) => !isSameValue(before[at], after[at]));
  if (removed.length === 0 && places.some((at) => keyOf(before[at]) !== keyOf(after[at]))) {
    return told('moved', [movedRow(before, after)], after);
  }
  return places.length === 1 ? changeInRow(definition, path, before, after, places[0] ?? 0) : undefined;
}

/** The change within a row that stayed at its place. */
function changeInRow(definition: FieldDefinition, path: string, before: readonly unknown[], after: readonly unknown[], at: number): Change | undefined {
  const [was, is] = [before[at], after[at]];
  if (!isObject(was) || !isObject(is) || blockType(was) !== blockType(is)) return undefined;
  return changeOfParts(definition, `${path}[${at}]`, was, is);
}

/** The row that was taken to another place, when one was. */
function movedRow(before: readonly unknown[], after: readonly unknown[]): unknown {
  const [from, to] = [before.map(keyOf), after.map(keyOf)];
  const first = from.findIndex((key, at) => key !== to[at]);
  const downwards = from[first + 1] === to[first];
  return downwards ? after[to.indexOf(from[first])] : after[first];
}

/** Returns what a row is known by: a block by its id, any other by being the same object. */
function keyOf(row: unknown): unknown {
  return blockId(row) ?? row;
}

function nameOfRows(definition: FieldDefinition, rows: readonly unknown[]): string {
  if (rows.length !== 1) return t('fields.rows.count', { count: rows.length });
  const [row] = rows;
  const type = blockType(row);
  const block = type === undefined ? undefined : definition.blocks?.[type];
  const label = definition.type === 'blocks' ? fieldLabel(type ?? '', { type: 'object', label: block?.label }) : t('fields.rows.item');
  const said = rowSummary(innerFields(definition, row), row).slice(0, 40);
  return said ? labelled(label, said) : label;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
