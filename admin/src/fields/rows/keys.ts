/** Names for rows that have none of their own, so that a row stays the same row when it is changed, moved or saved. */
import { ID, isObject } from '../shape';

export interface KeyedRows {
  rows: readonly unknown[];
  keys: readonly string[];
}

/**
 * The keys of rows that came in the place of others: the same row keeps its key, wherever it is
 * now; so does a block with the same id; and what remains is taken to be the row that was at its
 * place, changed. Everything else is new.
 */
export function reconciled(before: KeyedRows, rows: readonly unknown[], fresh: () => string): KeyedRows {
  if (before.rows === rows) return before;
  const free = new Map<number, string>(before.keys.entries());
  const keys: (string | undefined)[] = Array.from({ length: rows.length });
  const take = (index: number, from: number | undefined) => {
    if (keys[index] !== undefined || from === undefined || !free.has(from)) return;
    keys[index] = free.get(from);
    free.delete(from);
  };
  const objects = new Map(before.rows.flatMap((row, index) => (isObject(row) ? [[row, index] as const] : [])));
  const ids = new Map(before.rows.flatMap((row, index) => (idOf(row) ? [[idOf(row), index] as const] : [])));
  for (const [index, row] of rows.entries()) take(index, isObject(row) ? objects.get(row) : undefined);
  for (const [index, row] of rows.entries()) if (idOf(row)) take(index, ids.get(idOf(row)));
  for (const index of rows.keys()) take(index, index);
  return { rows, keys: keys.map((key) => key ?? fresh()) };
}

function idOf(row: unknown): string | undefined {
  const id = isObject(row) ? row[ID] : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
