import { createContext, type ReactNode, useContext } from 'react';
import type { FieldDefinition } from '~/api/fields';

/** The fields beside an input, on the same level of an entry, an object or a row. */
export interface Neighbours {
  /** Shows the input of one of them. `ifNeeded` leaves out one that has neither a value nor an error. */
  show: (name: string, change: Partial<FieldDefinition>, ifNeeded: boolean) => ReactNode;
  /** Shows something as long as one of them has no value. */
  whileEmpty: (name: string, children: ReactNode) => ReactNode;
}

const Context = createContext<Neighbours | undefined>(undefined);
export const NeighboursProvider = Context.Provider;

/** Returns the fields beside the present input; nothing where it stands alone. */
export function useNeighbours(): Neighbours | undefined {
  return useContext(Context);
}
