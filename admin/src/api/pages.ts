/** A page of a list, and the number of all that match. */
interface Page<T> {
  data: readonly T[];
  meta: { total: number };
}

/** All that a list finds, however few of them one answer may have. `ask` gives what follows the first `offset`. */
export async function collectPages<T>(ask: (offset: number) => Promise<Page<T>>): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const { data, meta } = await ask(found.length);
    found.push(...data);
    if (data.length === 0 || found.length >= meta.total) return found;
  }
}
