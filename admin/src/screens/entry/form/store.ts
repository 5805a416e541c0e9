/** The state of the editor, outside of React: a keystroke draws its own field anew and nothing else. */
import { useSyncExternalStore } from 'react';
import type { AdminEntry } from '~/api/schema';
import { isSameValue } from '~/diff/values';
import {
  changedSlots, defaultsOf, type Errors, isAtOrBelow, threeWayMerge, NO_ERRORS, type Shape, type Values, valuesOf,
} from './form';

export interface FormState {
  /** The entry on the server; nothing while it is new. */
  entry: AdminEntry | undefined;
  /** The time at which `entry` was received: what was read of the server before that is older. */
  entryAt: number;
  /** The values of `entry`. */
  base: Values;
  /** The values of the form. */
  values: Values;
  /** The slots in which the two differ. */
  changed: ReadonlySet<string>;
  errors: Errors;
  /** The inputs that cannot be a value yet, by path: half a date, broken JSON. */
  unfinished: Errors;
  saving: boolean;
  /** The time of the last save of this form, in milliseconds. */
  savedAt: number | undefined;
}

/** An entry being edited. Each change makes a new state that shares all it can with the one before. */
export class EntryForm {
  private listeners = new Set<() => void>();
  private current: FormState;

  constructor(
    private shape: Shape,
    entry: AdminEntry | undefined,
  ) {
    const base = entry ? valuesOf(shape, entry) : defaultsOf(shape);
    this.current = { entry, entryAt: 0, base, values: base, changed: new Set(), errors: NO_ERRORS, unfinished: NO_ERRORS, saving: false, savedAt: undefined };
  }

  readonly state = (): FormState => this.current;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private update(change: Partial<FormState>): void {
    this.current = { ...this.current, ...change };
    for (const listener of this.listeners) listener();
  }

  /** The content type may be changed while one of its entries is open. */
  setShape(shape: Shape): void {
    this.shape = shape;
  }

  /** Takes over one value. What was wrong with it is no longer said. */
  set(slot: string, value: unknown): void {
    const { values, base, changed, errors } = this.current;
    if (Object.is(values[slot], value)) return;
    const differs = !isSameValue(base[slot], value);
    const next = differs === changed.has(slot) ? changed : new Set(changed);
    if (next !== changed) {
      if (differs) (next as Set<string>).add(slot);
      else (next as Set<string>).delete(slot);
    }
    const stale = Object.keys(errors).some((path) => isAtOrBelow(path, slot));
    this.update({
      values: { ...values, [slot]: value },
      changed: next,
      ...(stale && { errors: Object.fromEntries(Object.entries(errors).filter(([path]) => !isAtOrBelow(path, slot))) }),
    });
  }

  /** Puts other values in the place of all. */
  replace(values: Values): void {
    const { values: old, base } = this.current;
    this.update({ values: shared(old, values), changed: new Set(changedSlots(base, values)) });
  }

  /** Gives up what was changed. */
  reset(): void {
    this.update({ values: this.current.base, changed: new Set(), errors: NO_ERRORS });
  }

  /** Goes on from another version of the server's, with the given values; `at` is when it was read. */
  rebase(entry: AdminEntry, values: Values, at = Date.now()): void {
    const base = valuesOf(this.shape, entry);
    const next = shared(this.current.values, values);
    this.update({ entry, entryAt: at, base, values: next, changed: new Set(changedSlots(base, next)) });
  }

  /** Shows a version of the server's; what was changed here is gone. */
  adopt(entry: AdminEntry): void {
    this.rebase(entry, valuesOf(this.shape, entry));
    this.update({ errors: NO_ERRORS });
  }

  /** Takes over what was saved. What was typed while it was on its way stays, as a change to it. */
  saved(entry: AdminEntry, sent: Values): void {
    this.rebase(entry, threeWayMerge(sent, this.current.values, valuesOf(this.shape, entry)).values);
    this.update({ errors: NO_ERRORS, savedAt: Date.now() });
  }

  /** An input says that what is typed in it is no value, or that it is one now. */
  setUnfinished(path: string, message: string | undefined): void {
    const { [path]: before, ...unfinished } = this.current.unfinished;
    const { [path]: error, ...errors } = this.current.errors;
    if (message !== undefined) this.update({ unfinished: { ...unfinished, [path]: message } });
    // A save that was refused for it had made it an error.
    else this.update({ unfinished, ...(error !== undefined && error === before && { errors }) });
  }

  setErrors(errors: Errors): void {
    this.update({ errors });
  }

  setSaving(saving: boolean): void {
    this.update({ saving });
  }
}

/** The new values, with those that say the same as before left the same objects. */
function shared(old: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([slot, value]) => [slot, isSameValue(old[slot], value) ? old[slot] : value]));
}

/** A part of the state; the component is drawn anew when that part becomes another. */
export function useFormState<T>(form: EntryForm, part: (state: FormState) => T): T {
  return useSyncExternalStore(form.subscribe, () => part(form.state()));
}
