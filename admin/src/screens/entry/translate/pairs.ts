/** The fields of an entry in two languages: what is translated, what is missing, and what the source changed since. */
import type { FieldDefinition } from '~/api/fields';
import { isEmptyValue, isSameValue } from '~/diff/values';
import { isVisible } from '~/fields/visible';
import { hasWords } from '~/fields/words';
import { contentFields, isTranslated, readValue, type Shape, slotOf, type Values } from '../form/form';
import type { SourceThen } from './staleness';

/** A field with its slots in the language that is translated from, and in the one that is translated into. */
export interface Pair {
  name: string;
  definition: FieldDefinition;
  source: string;
  target: string;
}

/** `changed` is translated, and the source says something else since; `rest` leaves nothing to translate. */
export type PairState = 'missing' | 'changed' | 'done' | 'rest' | 'hidden';

/** Returns the fields that have a value in each language, in their order. */
export function pairsOf(shape: Shape, from: string, to: string): Pair[] {
  return contentFields(shape)
    .filter(([name]) => isTranslated(shape, name))
    .map(([name, definition]) => ({ name, definition, source: slotOf(shape, name, from), target: slotOf(shape, name, to) }));
}

/** Returns the fields whose value all languages share. */
export function sharedFields(shape: Shape): [string, FieldDefinition][] {
  return contentFields(shape).filter(([name]) => !isTranslated(shape, name));
}

/** The values of the form and those of the entry that it began with. */
interface Edited {
  values: Values;
  base: Values;
}

/** Returns the state of each field. `sourceThen` has what the source said when each was translated, as far as known. */
export function statesOf(shape: Shape, pairs: readonly Pair[], edited: Edited, to: string, sourceThen: ReadonlyMap<string, SourceThen>): PairState[] {
  const valueOf = (name: string) => readValue(shape, edited.values, name, to);
  return pairs.map((pair) => (isVisible(pair.definition, valueOf) ? stateOf(pair, edited, sourceThen.get(pair.name)) : 'hidden'));
}

function stateOf({ definition, source, target }: Pair, { values, base }: Edited, then: SourceThen | undefined): PairState {
  const isDue = (slot: string) => !definition.readonly && hasWords(definition, values[slot]);
  if (isEmptyValue(values[target])) return isDue(source) ? 'missing' : 'rest';
  const done = isDue(target) ? 'done' : 'rest';
  // Whoever is writing the translation has the source before their eyes.
  const isRevised = !isSameValue(values[target], base[target]);
  // A source that was written later than the translation is a translation of it.
  if (!then || isEmptyValue(then.value) || isRevised) return done;
  return isSameValue(values[source], then.value) ? done : 'changed';
}

/** Counts the fields that have something to translate, and those that are translated. */
export function progressOf(states: readonly PairState[]): { done: number; of: number } {
  const done = states.filter((it) => it === 'done' || it === 'changed').length;
  return { done, of: done + states.filter((it) => it === 'missing').length };
}

/** Returns the values of all missing fields as the source has them. */
export function missingValues(pairs: readonly Pair[], states: readonly PairState[], values: Values): Values {
  return Object.fromEntries(pairs.filter((_, at) => states[at] === 'missing').map(({ source, target }) => [target, values[source]]));
}

/** Returns the next place, from the present one and around the end, at which there is something to do. */
export function nextToDo(states: readonly PairState[], from: number, step: 1 | -1): number | undefined {
  const { length } = states;
  const start = from === -1 && step === -1 ? length : from;
  const places = Array.from({ length }, (_, at) => (((start + step * (at + 1)) % length) + length) % length);
  return places.find((at) => states[at] === 'missing' || states[at] === 'changed');
}

/** Counts the values of a language that are not saved. */
export function countUnsaved(pairs: readonly Pair[], side: 'source' | 'target', changed: ReadonlySet<string>): number {
  return pairs.filter((it) => changed.has(it[side])).length;
}
