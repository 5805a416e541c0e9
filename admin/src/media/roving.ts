/** Returns the tile that has the keyboard after a key, in a grid that is filled row by row. */
export function nextTile(key: string, index: number, count: number, columns: number, page = 4): number | undefined {
  const last = count - 1;
  const clamp = (to: number) => Math.max(0, Math.min(last, to));
  switch (key) {
    case 'ArrowRight':
      return clamp(index + 1);
    case 'ArrowLeft':
      return clamp(index - 1);
    case 'ArrowDown':
      // From the last row but one, a short last row is reached all the same.
      return Math.floor(index / columns) < Math.floor(last / columns) ? clamp(index + columns) : index;
    case 'ArrowUp':
      return index >= columns ? index - columns : index;
    case 'PageDown':
      return clamp(index + columns * page);
    case 'PageUp':
      return clamp(index - columns * page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}

/** The selection after a tile was toggled; with `from`, all between are made like it. */
export function toggleTiles(
  selected: ReadonlySet<string>,
  names: readonly string[],
  index: number,
  from: number | undefined,
): Set<string> {
  const result = new Set(selected);
  const name = names[index];
  if (name === undefined) return result;
  const add = from === undefined ? !selected.has(name) : true;
  const start = from ?? index;
  for (const it of names.slice(Math.min(start, index), Math.max(start, index) + 1)) {
    if (add) result.add(it);
    else result.delete(it);
  }
  return result;
}
