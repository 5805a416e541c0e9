/** The facts about a translation that all of its parts share. */
import { createContext, useContext } from 'react';
import type { Pair, PairState } from './pairs';
import type { SourceThen } from './staleness';

interface Translating {
  /** The language that is translated from. */
  from: string;
  /** True if the source cannot be changed. */
  isSourceReadOnly: boolean;
  pairs: readonly Pair[];
  /** The state of each pair. */
  states: readonly PairState[];
  /** The source of each field at the time at which it was translated, as far as known. */
  sourceThen: ReadonlyMap<string, SourceThen>;
}

const Context = createContext<Translating | undefined>(undefined);
export const TranslatingProvider = Context.Provider;

export function useTranslating(): Translating {
  const translating = useContext(Context);
  if (!translating) throw new Error('a part of a translation stands outside of it');
  return translating;
}
