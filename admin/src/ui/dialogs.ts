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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the dialogs that are open, the topmost last. */
export function useDialogs(): readonly Dialog[] {
  return useSyncExternalStore(subscribe, () => opened);
}
