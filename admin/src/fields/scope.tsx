import { createContext, type ReactNode, useContext } from 'react';

const Scope = createContext('');

/**
 * Puts something in front of the ids of all inputs below, for a second form on the same page:
 * without it, two inputs for `title` would have one id.
 */
export function FieldScope({ prefix, children }: { prefix: string; children: ReactNode }) {
  return <Scope value={prefix}>{children}</Scope>;
}

export function useScope(): string {
  return useContext(Scope);
}
