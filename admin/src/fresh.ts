const KEY = 'recto.reloaded';

/** Reloads the page, unless that was done just now and did not help. */
export function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if (Date.now() - last < 30_000) return false;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
  return true;
}
