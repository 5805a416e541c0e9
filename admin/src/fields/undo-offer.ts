import { createContext, useContext } from 'react';

/** Says what has just been done to a value, and offers to undo it. */
export type OfferUndo = (message: string) => void;

const Context = createContext<OfferUndo | undefined>(undefined);

/** Tells the inputs below how their form undoes; nothing where it cannot. */
export const UndoOfferProvider = Context.Provider;

export function useUndoOffer(): OfferUndo | undefined {
  return useContext(Context);
}
