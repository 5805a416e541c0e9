/** Dialogs that any code opens by a call. `DialogStack` shows them. */
import { type ReactNode, useSyncExternalStore } from 'react';

export interface Dialog {
  title: ReactNode;
  children: ReactNode;
  size?: 'md' | 'lg';
  /** Called however it is closed. */
  onClose?: () => void;
}

let opened: readonly Dialog[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Dialog[]): void {
  opened = next;
  for (const tell of listeners) tell();
}

/** Opens a dialog above those that are open. Gives what closes it. */
export function openDialog(dialog: Dialog): () => void {
  set([...opened, dialog]);
  return () => closeDialog(dialog);
}

export function closeDialog(dialog: Dialog): void {
  if (!opened.includes(dialog)) return;
  set(opened.filter((it) => it !== dialog));
  dialog.onClose?.();
}

/**
 * Has Escape close the topmost dialog and nothing below it. To be called before anything else listens:
 * whatever is open would take the key for itself.
 */
export function listenForEscape(): void {
  const close = (event: KeyboardEvent) => {
    const top = opened.at(-1);
    const { target } = event;
    if (event.key !== 'Escape' || event.isComposing || !top || !(target instanceof Element)) return;
    // A list that is open inside the dialog closes first.
    if (isAbove(target) || target.getAttribute('data-mantine-stop-propagation') === 'true') return;
    event.stopImmediatePropagation();
    closeDialog(top);
  };
  window.addEventListener('keydown', close, { capture: true });
}

/** Returns whether an element, or for the page itself any dialog, lies above the dialogs of a call. */
function isAbove(target: Element): boolean {
  const stack = document.querySelector('[data-dialog-stack]');
  const others = target === document.body ? [...document.querySelectorAll('[role=dialog]')] : [target];
  // What lies over the page is drawn in this order.
  const isLater = (it: Element) => (stack?.compareDocumentPosition(it) ?? 0) & Node.DOCUMENT_POSITION_FOLLOWING;
  return others.some((it) => !stack?.contains(it) && isLater(it));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the dialogs that are open, the topmost last. */
export function useDialogs(): readonly Dialog[] {
  return useSyncExternalStore(subscribe, () => opened);
}
