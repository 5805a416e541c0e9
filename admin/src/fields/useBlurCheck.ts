import { useState } from 'react';
import type { FieldDefinition } from '~/api/fields';
import { checkText } from './checks';

/** Returns the problem of a text once its input has been left: while somebody types, it is not wrong yet. */
export function useBlurCheck(definition: FieldDefinition, text: string) {
  const [left, setLeft] = useState<string>();
  return {
    problem: left === text ? checkText(definition, text) : undefined,
    leave: () => setLeft(text),
  };
}
