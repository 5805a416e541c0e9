/** A unit in which people enter an amount. */
export interface Unit {
  label: string;
  /** The number of smallest units in one of these. */
  size: number;
}

/** Returns the largest unit of which an amount is a whole number, else the smallest. Units go up in size. */
export function unitOf(amount: number | null, units: readonly Unit[]): Unit | undefined {
  return units.findLast((it) => amount !== null && amount > 0 && amount % it.size === 0) ?? units[0];
}
