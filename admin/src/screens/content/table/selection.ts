/** The selected entries of a list; also those on other pages. */

/** One more or one less. */
export function toggleId(selected: ReadonlySet<string>, id: string): Set<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** All of a range become what its end becomes: as with files in a folder. */
export function toggleRange(selected: ReadonlySet<string>, ids: readonly string[], from: number, to: number): Set<string> {
  const next = new Set(selected);
  const on = !selected.has(ids[to] ?? '');
  for (const id of ids.slice(Math.min(from, to), Math.max(from, to) + 1)) {
    if (on) next.add(id);
    else next.delete(id);
  }
  return next;
}

/** All rows of the page, or none of them when all were. */
export function togglePage(selected: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  const next = new Set(selected);
  const all = ids.every((id) => selected.has(id));
  for (const id of ids) {
    if (all) next.delete(id);
    else next.add(id);
  }
  return next;
}
