import { createContext, type ReactNode, useContext } from 'react';

const Head = createContext<ReactNode>(null);

/** Gives all texts below what stands above one that fills the window: the title of the entry, and its saving. */
export const WritingHeadProvider = Head;

export function useWritingHead(): ReactNode {
  return useContext(Head);
}
