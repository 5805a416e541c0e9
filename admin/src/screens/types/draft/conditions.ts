/** The values of a condition (`visible_if`) while they are edited as texts. */
import { type FieldDefinition, optionValue, type SelectValue, selectOptions } from '~/api/fields';
import type { DraftField } from './draft';
import { isNested } from './kinds';

/** The values, each as text, whether one or several are written. */
export function conditionValues(value: unknown): readonly string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.filter((it) => it !== null && it !== undefined).map(String);
}

/**
 * The values as they are written: one alone by itself, and numbers as numbers where the other field
 * has them. Without any the other field has to be empty; a list without values would never hold.
 */
export function writtenCondition(texts: readonly string[], other: FieldDefinition | undefined): unknown {
  const values = texts.map((text) => valueFor(text, other));
  return values.length > 1 ? values : (values[0] ?? null);
}

function valueFor(text: string, other: FieldDefinition | undefined): SelectValue {
  if (other?.type === 'select') return optionValue(other, text);
  const isNumber = other?.type === 'number' || other?.type === 'range';
  return isNumber && text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** Fields that a condition can be about, those that are most often meant first. Title and address are not among the values that are looked at. */
export function usableInConditions(neighbours: readonly DraftField[], isTop: boolean): readonly DraftField[] {
  const usable = neighbours.filter(({ key, definition: { type } }) => {
    const outside = isTop && (key === 'title' || type === 'slug');
    return !outside && !isNested(type) && type !== 'media' && type !== 'json';
  });
  const isChoice = ({ definition: { type } }: DraftField) => type === 'boolean' || type === 'select';
  return [...usable.filter(isChoice), ...usable.filter((it) => !isChoice(it))];
}

/** Returns a new condition on a field. */
export function firstCondition(other: FieldDefinition | undefined): unknown {
  if (other?.type === 'boolean') return true;
  const [option] = other?.type === 'select' ? selectOptions(other) : [];
  return option ? valueFor(option.value, other) : null;
}
