import { createContext, useContext } from 'react';

/** The cell of a list that is being edited. */
export interface Editing {
  at: { id: string; key: string } | undefined;
  start: (id: string, key: string) => void;
  stop: () => void;
}

export const EditingContext = createContext<Editing>({ at: undefined, start: () => {}, stop: () => {} });

export function useEditing(): Editing {
  return useContext(EditingContext);
}
