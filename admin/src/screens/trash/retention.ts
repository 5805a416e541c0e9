const DAY = 24 * 60 * 60 * 1000;

/** In how many days, rounded up, the trash forgets an entry; 0 when it is due. */
export function daysLeft(deletedAt: string, keptDays: number, now: number = Date.now()): number {
  const left = new Date(deletedAt).getTime() + keptDays * DAY - now;
  return Math.max(0, Math.ceil(left / DAY));
}
