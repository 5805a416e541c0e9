import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useEditing } from '../context';
import type { Pair, PairState } from './pairs';

/** The fields that are asked for: only those that are missing, or those whose source changed since. */
export type Only = 'missing' | 'changed';

/**
 * Returns the fields to show, by the address. They stay while they are worked on, whatever becomes of
 * them, until somebody asks again: nothing goes from under the keys.
 */
export function useShownPairs(pairs: readonly Pair[], states: readonly PairState[], isLoading: boolean, from: string) {
  const { locale, show } = useEditing();
  const search = useSearch({ strict: false }) as { only?: string };
  const only: Only | undefined = search.only === 'missing' || search.only === 'changed' ? search.only : undefined;
  const [turn, setTurn] = useState(0);
  const asked = `${from} ${locale} ${only ?? ''} ${turn} ${only === 'changed' && isLoading}`;
  const [kept, setKept] = useState<{ asked: string; names: ReadonlySet<string> }>();
  let shown = kept?.names ?? new Set<string>();
  if (kept?.asked !== asked) {
    shown = new Set(pairs.filter((_, at) => only === undefined || states[at] === only).map((it) => it.name));
    setKept({ asked, names: shown });
  }
  const choose = (next: Only | undefined) => {
    setTurn(turn + 1);
    show({ only: next });
  };
  // All fields are all there are, also those that the type gets meanwhile.
  return { shown: only ? shown : new Set(pairs.map((it) => it.name)), only, choose };
}
