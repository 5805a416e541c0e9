import type { FieldDefinition } from '~/api/fields';
import { isEmpty } from './shape';
import { sameJson } from './text/json';

/** Checks whether a field is shown (`visible_if`), by the values of the fields beside it: as the server decides it. */
export function isVisible(definition: FieldDefinition, valueOf: (name: string) => unknown): boolean {
  return Object.entries(definition.visible_if ?? {}).every(([name, condition]) => {
    const value = valueOf(name) ?? null;
    const wanted: unknown[] = Array.isArray(condition) ? condition : [condition];
    return wanted.some((it) => sameJson(it, value) || (isEmpty(it) && isEmpty(value)));
  });
}
