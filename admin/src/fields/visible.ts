import type { FieldDefinition } from '~/api/fields';
import { isEmpty } from './shape';
import { sameJson } from './text/json';

/** Checks whether a field is shown, by what the fields beside it have: as the server decides it. */
export function isVisible(definition: FieldDefinition, siblings: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(definition.visible_if ?? {}).every(([name, condition]) => {
    const value = siblings[name] ?? null;
    const wanted: unknown[] = Array.isArray(condition) ? condition : [condition];
    return wanted.some((it) => sameJson(it, value) || (isEmpty(it) && isEmpty(value)));
  });
}
