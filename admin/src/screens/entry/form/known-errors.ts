import { checkNumber, checkText, isColour } from '~/fields/checks';
import { t } from '~/i18n';
import { type Errors, placeOf, type Shape } from './form';
import type { FormState } from './store';

/**
 * Returns all that is known to be wrong without asking the server, once something typed cannot be a value, which
 * nobody can save: that, and the changed values that their inputs show in red. Nothing otherwise: the server has
 * the last word about values.
 */
export function knownErrors(shape: Shape, { values, changed, unfinished }: Pick<FormState, 'values' | 'changed' | 'unfinished'>): Errors | undefined {
  if (Object.keys(unfinished).length === 0) return undefined;
  const wrong = [...changed].flatMap((slot) => {
    const message = problemOf(shape, slot, values[slot]);
    return message === undefined ? [] : [[slot, message] as const];
  });
  return { ...Object.fromEntries(wrong), ...unfinished };
}

function problemOf(shape: Shape, slot: string, value: unknown): string | undefined {
  const definition = shape.fields[placeOf(slot).field];
  if (!definition) return undefined;
  if (definition.type === 'number' && typeof value === 'number') return checkNumber(definition, value);
  if (typeof value !== 'string' || value === '') return undefined;
  if (definition.type === 'color') return isColour(value, definition.alpha) ? undefined : t('fields.check.colour');
  return ['text', 'textarea', 'email', 'url'].includes(definition.type) ? checkText(definition, value) : undefined;
}
