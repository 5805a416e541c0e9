/** The options of a select and what stands in a file for them. */
import { type FieldDefinition, selectOptions } from '~/api/fields';

/** The values that are chosen, as texts. */
export function chosenValues(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return [];
  return [...new Set((Array.isArray(value) ? value : [value]).map(String))];
}

/** All options, and what is chosen without being one (any more), so that it can be seen and removed. */
export function optionsWith(
  definition: FieldDefinition,
  value: unknown,
  stray: (value: string) => string,
): { value: string; label: string }[] {
  const seen = new Set<string>();
  const options = selectOptions(definition).filter((it) => !seen.has(it.value) && seen.add(it.value));
  const others = chosenValues(value).filter((it) => !seen.has(it));
  return [...options, ...others.map((it) => ({ value: it, label: stray(it) }))];
}
