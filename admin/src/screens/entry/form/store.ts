/** The state of the editor, outside of React: a keystroke draws its own field anew and nothing else. */
import { useSyncExternalStore } from 'react';
import type { AdminEntry } from '~/api/schema';
import { isSameValue } from '~/diff/values';
import {
  changedSlots, defaultsOf, type Errors, isAtOrBelow, threeWayMerge, NO_ERRORS, type Shape, type Values, valuesOf,
} from './form';
import {
  closeStep, forgetSlots, type History, knowsSlot, NO_HISTORY, recordLoad, recordStep, redoStep, replaceEnds, type Step, undoStep, type Version,
} from './history';
import { definitionOf, labelOf } from './labels';
import type { RawText } from './raw';
import { type Change, findChange } from './step';

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
  /** The texts of such inputs, as far as they are worth keeping. */
  texts: Readonly<Record<string, string>>;
  /** The entry as JSON, as it was typed. */
  raw: RawText | undefined;
  /** The steps that can be undone and redone. */
  history: History;
  /** The values whose steps were dropped because others changed them, until the next step. */
  lost: readonly string[];
  saving: boolean;
  /** The reason that the last save came to nothing, until one succeeds. */
  failure: Failure | undefined;
  /** The time of the last save of this form, in milliseconds. */
  savedAt: number | undefined;
}

/** A save that came to nothing for a reason that no input can be blamed for. */
export interface Failure {
  error: unknown;
  /** The values that were to be saved beside those of the form. */
  set: Values;
}

const NO_TEXTS = { texts: {}, raw: undefined } as const;

/** An entry being edited. Each change makes a new state that shares all it can with the one before. */
export class EntryForm {
  private listeners = new Set<() => void>();
  private current: FormState;

  constructor(
    private shape: Shape,
    entry: AdminEntry | undefined,
  ) {
    const base = entry ? valuesOf(shape, entry) : defaultsOf(shape);
    this.current = {
      entry, entryAt: 0, base, values: base, changed: new Set(), errors: NO_ERRORS, unfinished: NO_ERRORS, ...NO_TEXTS, history: NO_HISTORY, lost: [],
      saving: false, failure: undefined, savedAt: undefined,
    };
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

  /** Takes over one value, as a step that can be undone. What was wrong with it is no longer said. */
  set(slot: string, value: unknown): void {
    const { values } = this.current;
    if (Object.is(values[slot], value)) return;
    const sides = { [slot]: { before: values[slot], after: value } };
    this.put({ [slot]: value }, { history: recordStep(this.current.history, sides, this.changeOf(slot, values[slot], value)), lost: [] });
  }

  /** Sets values that belong to something else than editing, such as publishing: they are no step. */
  impose(values: Values): void {
    if (Object.keys(values).length > 0) this.put(values, { history: forgetSlots(this.current.history, Object.keys(values)) });
  }

  /** Puts other values in the place of all, as one step; what is typed letter by letter at a place is one, too. */
  replace(values: Values, typedAt?: string): void {
    const { values: old, base, history } = this.current;
    const next = shared(old, values);
    const slots = changedSlots(old, next);
    const sides = Object.fromEntries(slots.map((slot) => [slot, { before: old[slot], after: next[slot] }]));
    const [only = ''] = slots;
    const change: Change | undefined = slots.length === 1 ? this.changeOf(only, old[only], next[only]) : undefined;
    const typed: Change | undefined = typedAt === undefined ? change : { what: 'typed', path: typedAt, name: typedAt };
    this.update({ values: next, changed: new Set(changedSlots(base, next)), history: recordStep(history, sides, typed), lost: [] });
  }

  /** Gives up what was changed. */
  reset(): void {
    this.update({ ...NO_TEXTS, values: this.current.base, changed: new Set(), errors: NO_ERRORS, failure: undefined, history: NO_HISTORY, lost: [] });
  }

  /** Takes the last step back. Gives the step; nothing when there was none. */
  undo(): Step | undefined {
    const moved = undoStep(this.current.history);
    return this.go(moved, moved?.step.versions?.after, moved?.step.versions?.before);
  }

  /** Makes the step that was taken back last once more. */
  redo(): Step | undefined {
    const moved = redoStep(this.current.history);
    return this.go(moved, moved?.step.versions?.before, moved?.step.versions?.after);
  }

  private go(moved: ReturnType<typeof undoStep>, from: Version | undefined, to: Version | undefined): Step | undefined {
    if (!moved) return undefined;
    const { entry, values } = this.current;
    // On a version that came later, by a save for instance, only the values change.
    if (to?.entry && entry?.etag === from?.entry?.etag) {
      const base = valuesOf(this.shape, to.entry);
      const next = { ...values, ...moved.values };
      this.update({ ...to, base, values: next, changed: new Set(changedSlots(base, next)), history: moved.history });
    } else this.put(moved.values, { history: moved.history });
    return moved.step;
  }

  /** Ends the step that is being typed: what comes next is another one. */
  closeStep(): void {
    const history = closeStep(this.current.history);
    if (history !== this.current.history) this.update({ history });
  }

  private changeOf(slot: string, before: unknown, after: unknown): Change {
    return findChange(definitionOf(this.shape, slot), slot, before, after, labelOf(this.shape, slot));
  }

  /** Puts values into their slots, whatever the steps say of it. */
  private put(values: Values, change: Partial<FormState>): void {
    const { base, errors, changed, values: old } = this.current;
    const next = new Set(changed);
    for (const [slot, value] of Object.entries(values)) {
      if (isSameValue(base[slot], value)) next.delete(slot);
      else next.add(slot);
    }
    const slots = Object.keys(values);
    const right = Object.entries(errors).filter(([path]) => !slots.some((slot) => isAtOrBelow(path, slot)));
    const isSame = next.size === changed.size && [...next].every((slot) => changed.has(slot));
    this.update({
      values: { ...old, ...values },
      changed: isSame ? changed : next,
      ...(right.length < Object.keys(errors).length && { errors: Object.fromEntries(right) }),
      ...change,
    });
  }

  /** Goes on from another version of the server's, with the given values; `at` is when it was read. */
  rebase(entry: AdminEntry, values: Values, at = Date.now()): void {
    this.follow(entry, values, at, () => false);
  }

  /** Shows a version of the server's; what was changed here is gone. */
  adopt(entry: AdminEntry): void {
    this.rebase(entry, valuesOf(this.shape, entry));
    this.update({ ...NO_TEXTS, errors: NO_ERRORS, failure: undefined, history: NO_HISTORY, lost: [] });
  }

  /** Puts a newer version of the server's in the place of what was changed here, as one step. */
  load(entry: AdminEntry): void {
    const { entry: old, entryAt, base, values, texts, raw } = this.current;
    const theirs = valuesOf(this.shape, entry);
    // What only others changed is no part of the step: undoing it brings back what was typed.
    const { values: merged } = threeWayMerge(base, values, theirs);
    this.rebase(entry, merged);
    const { values: mine, history, entryAt: at } = this.current;
    const next = shared(mine, theirs);
    const sides = Object.fromEntries(changedSlots(mine, next).map((slot) => [slot, { before: mine[slot], after: next[slot] }]));
    const versions = { before: { entry: old, entryAt, texts, raw }, after: { entry, entryAt: at, ...NO_TEXTS } };
    this.update({
      ...NO_TEXTS, values: next, changed: new Set(), errors: NO_ERRORS, failure: undefined, history: recordLoad(history, sides, versions),
    });
  }

  /** Takes over what was saved. What was typed while it was on its way stays, as a change to it. */
  saved(entry: AdminEntry, sent: Values): void {
    const { changed } = this.current;
    const { values } = threeWayMerge(sent, this.current.values, valuesOf(this.shape, entry));
    // What was changed here comes back as the server writes it; anything else is a change of others.
    this.follow(entry, values, Date.now(), (slot) => changed.has(slot));
    this.update({ errors: NO_ERRORS, failure: undefined, savedAt: Date.now(), history: closeStep(this.current.history) });
  }

  private follow(entry: AdminEntry, values: Values, at: number, isOwn: (slot: string) => boolean): void {
    const { values: old, history } = this.current;
    const base = valuesOf(this.shape, entry);
    const next = shared(old, values);
    const moved = changedSlots(old, next).filter((slot) => knowsSlot(history, slot));
    const lost = moved.filter((slot) => !isOwn(slot));
    const kept = moved.filter(isOwn).reduce((all, slot) => replaceEnds(all, slot, next[slot]), forgetSlots(history, lost));
    const changed = new Set(changedSlots(base, next));
    this.update({ entry, entryAt: at, base, values: next, changed, history: kept, ...(lost.length > 0 && { lost }) });
  }

  /** An input says that what is typed in it is no value, or that it is one now. */
  setUnfinished(path: string, message: string | undefined): void {
    const { [path]: before, ...unfinished } = this.current.unfinished;
    const { [path]: error, ...errors } = this.current.errors;
    if (message !== undefined) this.update({ unfinished: { ...unfinished, [path]: message } });
    // A save that was refused for it had made it an error.
    else this.update({ unfinished, ...(error !== undefined && error === before && { errors }) });
  }

  readonly textAt = (path: string): string | undefined => this.current.texts[path];

  /** Keeps what is typed in an input and no value yet. */
  readonly keepText = (path: string, text: string | undefined): void => {
    const { [path]: before, ...others } = this.current.texts;
    if (before !== text) this.update({ texts: text === undefined ? others : { ...others, [path]: text } });
  };

  /** Keeps the text of the entry as JSON. */
  setRaw(raw: RawText | undefined): void {
    this.update({ raw });
  }

  /** Puts in place what was typed and no value yet. */
  restoreTexts({ texts = {}, raw }: Partial<Pick<FormState, 'texts' | 'raw'>>): void {
    this.update({ texts: { ...this.current.texts, ...texts }, ...(raw && { raw }) });
  }

  setErrors(errors: Errors): void {
    this.update({ errors });
  }

  setFailure(failure: Failure | undefined): void {
    this.update({ failure });
  }

  setSaving(saving: boolean): void {
    this.update({ saving });
  }
}

/** Returns true if something is typed that no value of the form has. */
export function hasTexts({ texts, raw }: FormState): boolean {
  return raw?.problem !== undefined || Object.keys(texts).length > 0;
}

/** Returns true if there is something to be kept on the device. */
export function isKeepable(state: FormState): boolean {
  return state.changed.size > 0 || hasTexts(state);
}

/** Returns true if there is something that is not saved. */
export function isDirty(state: FormState): boolean {
  return isKeepable(state) || Object.keys(state.unfinished).length > 0;
}

/** Returns true if the file of an entry cannot be read, so that its last good version is shown and nothing can be saved. */
export function isBroken(entry: AdminEntry | undefined): boolean {
  return entry?.problems.some((it) => it.severity === 'error' && it.field === null) ?? false;
}

/** The new values, with those that say the same as before left the same objects. */
function shared(old: Values, values: Values): Values {
  return Object.fromEntries(Object.entries(values).map(([slot, value]) => [slot, isSameValue(old[slot], value) ? old[slot] : value]));
}

/** A part of the state; the component is drawn anew when that part becomes another. */
export function useFormState<T>(form: EntryForm, part: (state: FormState) => T): T {
  return useSyncExternalStore(form.subscribe, () => part(form.state()));
}
