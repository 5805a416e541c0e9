/** The event that asks for the command palette. */
export const PALETTE_EVENT = 'recto:palette';

/** Opens the command palette. */
export function openPalette(): void {
  window.dispatchEvent(new Event(PALETTE_EVENT));
}
