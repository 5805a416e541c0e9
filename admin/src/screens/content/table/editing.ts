import { createContext, useContext } from 'react';

/** The cell of a list that is being edited. */
export interface Editing {
  at: { id: string; key: string } | undefined;
  start: (id: string, key: string) => void;
  stop: () => void;
  /** Says how the keyboard gets to what is typed there and not saved; nothing if there is none. */
  report: (focus: (() => void) | undefined) => void;
}

export const EditingContext = createContext<Editing>({ at: undefined, start: () => {}, stop: () => {}, report: () => {} });

export function useEditing(): Editing {
  return useContext(EditingContext);
}
