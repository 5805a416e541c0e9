const OPEN = 'recto:palette';

/** Opens the command palette. */
export function openPalette(): void {
  window.dispatchEvent(new Event(OPEN));
}

/** Calls back when the palette is asked for. Gives what stops it. */
export function onOpenPalette(listener: () => void): () => void {
  window.addEventListener(OPEN, listener);
  return () => window.removeEventListener(OPEN, listener);
}
