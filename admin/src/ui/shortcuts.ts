/**
 * Shortcuts that work anywhere on the page. Dialogs and drawers lie on top of each other, and only
 * the topmost one that has a shortcut gets it.
 */
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { hasOwnUndo, isTextInput, rememberText } from './own-undo';

type Handler = () => void;
const saving: { current: Handler }[] = [];

/** Checks whether the command key of this system is held. */
export function withCommand(event: KeyboardEvent | React.KeyboardEvent): boolean {
  return /Mac|iP(hone|ad|od)/.test(navigator.platform) ? event.metaKey : event.ctrlKey;
}

/** The name of the command key on this system. */
export const COMMAND = typeof navigator !== 'undefined' && /Mac|iP(hone|ad|od)/.test(navigator.platform) ? '⌘' : 'Ctrl';

if (typeof window !== 'undefined') {
  // In the capture phase, so that no editor inside the page can keep the keys. It is not in a hook,
  // because it also counts where nothing can be saved.
  window.addEventListener(
    'keydown',
    (event) => {
      if (!withCommand(event) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's') return;
      // Nobody means the browser's own command, which would save the page as a file.
      event.preventDefault();
      event.stopPropagation();
      saving.at(-1)?.current();
    },
    true,
  );
}

/** Lets Ctrl/⌘ S save, unless something above has that shortcut too. */
export function useSaveShortcut(save: Handler, enabled = true): void {
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    saving.push(latest);
    return () => {
      saving.splice(saving.indexOf(latest), 1);
    };
  }, [enabled]);
}

/**
 * Lets Ctrl/⌘ Z undo, with Shift redo (or Ctrl Y), outside of text inputs and where these have nothing of
 * their own left to take back. Dialogs have the keys for themselves.
 */
export function useUndoShortcuts(undo: Handler, redo: Handler, enabled: boolean): void {
  const latest = useRef({ undo, redo });
  useEffect(() => {
    latest.current = { undo, redo };
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const listen = (event: KeyboardEvent) => {
      const direction = directionOf(event);
      if (!direction || document.querySelector('[role=dialog][aria-modal=true]')) return;
      const { target } = event;
      if (isTextInput(target) && hasOwnUndo(target, direction)) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current[direction]();
      // The input shows another text now, which it cannot take back.
      requestAnimationFrame(() => rememberText(document.activeElement));
    };
    // In the capture phase: editors within the page would take the keys for themselves.
    window.addEventListener('keydown', listen, true);
    return () => window.removeEventListener('keydown', listen, true);
  }, [enabled]);
}

function directionOf(event: KeyboardEvent): 'undo' | 'redo' | undefined {
  if (!withCommand(event) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 'y' && !event.shiftKey && COMMAND === 'Ctrl') return 'redo';
  return key === 'z' ? (event.shiftKey ? 'redo' : 'undo') : undefined;
}

/** Lets Esc clear a search, and leave one in which nothing is. */
export function onSearchKey(event: React.KeyboardEvent<HTMLInputElement>, clear: Handler): void {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  if (event.currentTarget.value === '') event.currentTarget.blur();
  else clear();
}

/** Checks whether keys are being typed into something, or a dialog has the keyboard. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (!target?.closest) return false;
  return (
    target.isContentEditable ||
    target.closest('input:not([type=checkbox]):not([type=radio]), textarea, select, [role=textbox], [role=listbox], [role=menu]') !== null ||
    document.querySelector('[role=dialog][aria-modal=true]') !== null
  );
}

/**
 * Single-letter shortcuts and two-letter sequences: `{ c: create, 'g d': toDashboard }`. Off while
 * something is typed, and when the user has switched them off (WCAG 2.1.4).
 */
export function useLetterShortcuts(keys: Readonly<Record<string, Handler>>, enabled = true): void {
  const first = useRef<{ key: string; at: number }>(undefined);
  useWindowEvent('keydown', (event) => {
    if (!enabled || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const { current: before } = first;
    const sequence = before && event.timeStamp - before.at < 1200 ? `${before.key} ${event.key}` : '';
    const handler = keys[sequence] ?? keys[event.key];
    first.current = handler ? undefined : { key: event.key, at: event.timeStamp };
    if (!handler) return;
    event.preventDefault();
    handler();
  });
}
