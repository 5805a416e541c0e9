/** The values of a form compared with the stored ones. A plain object is a group of values, each on its own. */

type Group = Readonly<Record<string, unknown>>;

function isGroup(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the values that differ from the stored ones; of a group, only those of its values. */
export function changedValues<V extends object>(stored: V, values: V): Partial<V> {
  const before = stored as Group;
  const changed = Object.entries(values).filter(([key, value]) => !isSame(before[key], value));
  return Object.fromEntries(
    changed.map(([key, value]) => {
      const group = before[key];
      return [key, isGroup(group) && isGroup(value) ? changedValues(group, value) : value];
    }),
  ) as Partial<V>;
}

/** Returns the values with a change applied to them. */
export function withChanges<V extends object>(values: V, change: Partial<V>): V {
  const changed = Object.entries(change).map(([key, value]) => {
    const group = (values as Group)[key];
    return [key, isGroup(group) && isGroup(value) ? withChanges(group, value) : value];
  });
  return { ...values, ...Object.fromEntries(changed) };
}
