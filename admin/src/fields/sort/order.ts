/** The list with one item at another place. */
export function moveItem<T>(list: readonly T[], from: number, to: number): T[] {
  const result = [...list];
  const [item] = result.splice(from, 1);
  if (item === undefined && from >= list.length) return result;
  result.splice(Math.max(0, to), 0, item as T);
  return result;
}
