import type { FieldDefinition } from '~/api/fields';
import { isInCard } from '../media/texts';
import { isVisible } from '../visible';

type Fields = Readonly<Record<string, FieldDefinition>>;

/** Checks whether a field has an input, wherever that is, by the values of the fields beside it. */
export function isShown(definition: FieldDefinition, valueOf: (name: string) => unknown): boolean {
  return !definition.hidden && isVisible(definition, valueOf);
}

/** Returns the fields of an object that have an input of their own, in their order. */
export function shownParts(fields: Fields, value: Readonly<Record<string, unknown>>): [string, FieldDefinition][] {
  const valueOf = (name: string) => value[name];
  return Object.entries(fields).filter(([name, it]) => isShown(it, valueOf) && !isInCard(fields, name, valueOf));
}

/** Returns the name of the first field that can be filled in. */
export function firstInput(fields: Fields, value: Readonly<Record<string, unknown>>): string | undefined {
  return shownParts(fields, value).find(([, it]) => !it.readonly)?.[0];
}
