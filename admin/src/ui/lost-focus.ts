/** Milliseconds for which the element that has the keyboard may still be drawn after it is gone. */
const DRAWN_WITHIN = 1000;

/**
 * Moves the focus to `target`, or else to the content of the page, if the element that has it disappears
 * with what was just done, such as the button of a deleted row. A user who has moved the focus in the meantime keeps it.
 */
export function restoreLostFocus(target: () => HTMLElement | null = () => document.getElementById('content')): void {
  const begun = performance.now();
  const had = document.activeElement;
  const look = () => {
    const active = document.activeElement;
    if (!active || active === document.body) target()?.focus({ preventScroll: true });
    else if (active === had && performance.now() - begun < DRAWN_WITHIN) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
