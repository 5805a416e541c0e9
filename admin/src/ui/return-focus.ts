import { useEffect, useState } from 'react';

/**
 * Gives the keyboard back to what had it before this showed: for dialogs that are there only while
 * they are open. An item of a menu is gone by then, so the button of the menu gets it.
 */
export function useReturnFocus(): void {
  const [opener] = useState(openerNow);
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        // Somebody else may have taken it on purpose.
        if (document.activeElement && document.activeElement !== document.body) return;
        const to = opener?.isConnected ? opener : document.getElementById('content');
        to?.focus();
      });
    },
    [opener],
  );
}

function openerNow(): HTMLElement | null {
  const active = document.activeElement;
  const menu = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = menu ? document.getElementById(menu) : active;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/**
 * Returns whether a dialog is open, a frame late: one that is seen to open remembers what had the focus,
 * and the key that opened it does not close it at once, which Escape in a form would.
 */
export function useOpening(opened: boolean): boolean {
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!opened) return undefined;
    const frame = requestAnimationFrame(() => setDrawn(true));
    return () => {
      cancelAnimationFrame(frame);
      setDrawn(false);
    };
  }, [opened]);
  return opened && drawn;
}

/**
 * Returns how often a dialog was opened. As its key, it has the dialog drawn anew each time, after all
 * that is open by then and so above it: of what lies over the page, the last one drawn is on top.
 */
export function useOpenCount(opened: boolean): number {
  const [seen, setSeen] = useState({ opened, count: 0 });
  if (seen.opened === opened) return seen.count;
  const count = opened ? seen.count + 1 : seen.count;
  setSeen({ opened, count });
  return count;
}
