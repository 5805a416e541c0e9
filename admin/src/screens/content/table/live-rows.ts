/**
 * Keeps rows where they are while others change the list: what is shown is brought up to date in its
 * place, and what would move the rows under the cursor waits until it is asked for.
 */
interface Versioned {
  id: string;
  etag: string;
}

export interface LiveRows<Row> {
  rows: readonly Row[];
  /** Rows that are others than before, to be pointed out. */
  changed: readonly string[];
  /** The number of rows that wait and are not shown. */
  fresh: number;
  /** True if the list would look another way if it were taken as it is. */
  moved: boolean;
}

/** The rows as they were fetched. */
export function takeRows<Row>(rows: readonly Row[]): LiveRows<Row> {
  return { rows, changed: [], fresh: 0, moved: false };
}

/** The shown rows with the values of the fetched ones. */
export function mergeRows<Row extends Versioned>(shown: readonly Row[], fetched: readonly Row[]): LiveRows<Row> {
  const latest = new Map(fetched.map((row) => [row.id, row]));
  const known = new Set(shown.map((row) => row.id));
  const rows = shown.map((row) => latest.get(row.id) ?? row);
  const changed = rows.filter((row, index) => row.etag !== shown[index]?.etag).map((row) => row.id);
  const fresh = fetched.filter((row) => !known.has(row.id)).length;
  const moved = fetched.length !== shown.length || fetched.some((row, index) => row.id !== shown[index]?.id);
  return { rows, changed, fresh, moved };
}
