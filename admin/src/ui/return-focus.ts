import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

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
 * Returns whether a dialog is open, a frame late: by then, the one before it has given the keyboard back,
 * this one is seen to open and remembers what had the focus, and the key that opened it does not close
 * it at once, which Escape in a form would. The `key` is new each time. A dialog that stays on the page
 * while it is closed is drawn anew by it: of what lies over the page, the last one drawn is on top.
 */
export function useOpening(opened: boolean): { key: number; opened: boolean } {
  const [key, setKey] = useState(0);
  const [drawn, setDrawn] = useState(false);
  useEffect(() => {
    if (!opened) return undefined;
    const frame = requestAnimationFrame(() => {
      // Drawn closed at first, so that it is seen to open.
      flushSync(() => setKey((before) => before + 1));
      setDrawn(true);
    });
    return () => {
      cancelAnimationFrame(frame);
      setDrawn(false);
    };
  }, [opened]);
  return { key, opened: opened && drawn };
}
