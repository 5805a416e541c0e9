/** Asks to log in again over the page, so that nothing unsaved is lost. */
export function SessionExpired() {
  return null;
}
