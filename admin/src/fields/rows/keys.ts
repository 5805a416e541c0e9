/** Names for rows that have none of their own, so that a row stays the same row when it is changed, moved or saved. */
import { ID, isObject } from '../shape';

export interface KeyedRows {
  rows: readonly unknown[];
  keys: readonly string[];
  /** The keys of rows, also of those that are gone: they may come back. */
  known: Known;
}

interface Known {
  objects: WeakMap<object, string>;
  ids: Map<string, string>;
}

/** Rows with their keys, when it is known which they are. */
export function withKeys(rows: readonly unknown[], keys: readonly string[], known: Known = { objects: new WeakMap(), ids: new Map() }): KeyedRows {
  for (const [index, row] of rows.entries()) {
    const key = keys[index];
    if (key === undefined || !isObject(row)) continue;
    known.objects.set(row, key);
    const id = idOf(row);
    if (id) known.ids.set(id, key);
  }
  return { rows, keys, known };
}

/**
 * The keys of rows that came in the place of others: the same row keeps its key, wherever it is
 * now; so does a block with the same id; and what remains is taken to be the row that was at its
 * place, changed. Everything else is new.
 */
export function reconcileKeys(before: KeyedRows, rows: readonly unknown[], fresh: () => string): KeyedRows {
  if (before.rows === rows) return before;
  const { objects, ids } = before.known;
  const used = new Set<string>();
  const keys: (string | undefined)[] = Array.from({ length: rows.length });
  const take = (index: number, key: string | undefined) => {
    if (keys[index] !== undefined || key === undefined || used.has(key)) return;
    keys[index] = key;
    used.add(key);
  };
  for (const [index, row] of rows.entries()) take(index, isObject(row) ? objects.get(row) : undefined);
  for (const [index, row] of rows.entries()) take(index, ids.get(idOf(row)));
  for (const index of rows.keys()) take(index, before.keys[index]);
  return withKeys(rows, keys.map((key) => key ?? fresh()), before.known);
}

function idOf(row: unknown): string {
  const id = isObject(row) ? row[ID] : undefined;
  return typeof id === 'string' ? id : '';
}
