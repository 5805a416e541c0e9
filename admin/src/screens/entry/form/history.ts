/**
 * The steps that can be undone and redone in the form of an entry. A step holds the values of its slots
 * before and after. Of each slot, the newest step to undo leads to the value in the form, and so does
 * the next step to redo from the other side; whoever changes a value in another way says so by
 * `forgetSlots` or `replaceEnds`. So undo never puts anything over a value that others have changed.
 */
import type { AdminEntry } from '~/api/schema';
import { isSameValue } from '~/diff/values';
import type { Values } from './form';
import type { RawText } from './raw';
import type { Change } from './step';

interface Sides {
  readonly before: unknown;
  readonly after: unknown;
}

/** One change to the form. */
export interface Step {
  readonly id: number;
  readonly slots: Readonly<Record<string, Sides>>;
  /** The part that changed; nothing when several values did. */
  readonly change: Change | undefined;
  /** True while what is typed next at the same place still belongs to the step. */
  readonly open: boolean;
  /** The versions of the server's that the form stood on, where the step loaded another one. */
  readonly versions?: Versions;
}

/** A version of the server's, and what was typed on it and no value yet. */
export interface Version {
  readonly entry: AdminEntry | undefined;
  readonly entryAt: number;
  readonly texts: Readonly<Record<string, string>>;
  readonly raw: RawText | undefined;
}

interface Versions {
  readonly before: Version;
  readonly after: Version;
}

export interface History {
  readonly done: readonly Step[];
  readonly undone: readonly Step[];
}

export const NO_HISTORY: History = { done: [], undone: [] };

/** The most steps that are kept. */
export const MOST_STEPS = 200;

let made = 0;

/** Adds a step, or makes it a part of the last one when that is typed at the same place. */
export function recordStep(history: History, slots: Step['slots'], change: Change | undefined): History {
  const last = history.done.at(-1);
  const typed = change?.what === 'typed';
  if (last?.open && typed && last.change?.path === change.path && history.undone.length === 0) {
    const merged = Object.fromEntries(Object.entries(slots).map(([slot, { after }]) => [slot, { before: last.slots[slot]?.before, after }]));
    const rest = history.done.slice(0, -1);
    return { done: isIdle(merged) ? rest : [...rest, { ...last, slots: merged }], undone: [] };
  }
  if (isIdle(slots)) return history;
  return addStep(history, { slots, change, open: typed });
}

/** Adds the step that puts a newer version of the server's in the place of what was typed. */
export function recordLoad(history: History, slots: Step['slots'], versions: Versions): History {
  return addStep(history, { slots, change: undefined, open: false, versions });
}

function addStep(history: History, step: Omit<Step, 'id'>): History {
  made += 1;
  return { done: [...history.done, { id: made, ...step }].slice(-MOST_STEPS), undone: [] };
}

function isIdle(slots: Step['slots']): boolean {
  return Object.values(slots).every(({ before, after }) => isSameValue(before, after));
}

/** Ends the step that is being typed. */
export function closeStep(history: History): History {
  const last = history.done.at(-1);
  return last?.open ? { ...history, done: [...history.done.slice(0, -1), { ...last, open: false }] } : history;
}

interface Moved {
  history: History;
  step: Step;
  /** The values of the slots of the step. */
  values: Values;
}

/** Takes the last step back; nothing when there is none. */
export function undoStep(history: History): Moved | undefined {
  const step = history.done.at(-1);
  if (!step) return undefined;
  const closed = { ...step, open: false };
  return { history: { done: history.done.slice(0, -1), undone: [...history.undone, closed] }, step, values: sideOf(step, 'before') };
}

/** Makes the step that was taken back last once more. */
export function redoStep(history: History): Moved | undefined {
  const step = history.undone.at(-1);
  if (!step) return undefined;
  return { history: { done: [...history.done, step], undone: history.undone.slice(0, -1) }, step, values: sideOf(step, 'after') };
}

function sideOf({ slots }: Step, side: keyof Sides): Values {
  return Object.fromEntries(Object.entries(slots).map(([slot, sides]) => [slot, sides[side]]));
}

/** Drops all that the steps say of some slots. */
export function forgetSlots(history: History, gone: readonly string[]): History {
  if (gone.length === 0) return history;
  const without = (steps: readonly Step[]) =>
    steps.flatMap((step) => {
      const kept = Object.entries(step.slots).filter(([slot]) => !gone.includes(slot));
      if (kept.length === Object.keys(step.slots).length) return [step];
      return kept.length === 0 ? [] : [{ ...step, slots: Object.fromEntries(kept), open: false }];
    });
  return { done: without(history.done), undone: without(history.undone) };
}

/** Tells the steps that the value of a slot is written in another way now, as the server has stored it. */
export function replaceEnds(history: History, slot: string, value: unknown): History {
  const end = (steps: readonly Step[], side: keyof Sides) => {
    const at = steps.findLastIndex((step) => slot in step.slots);
    const step = steps[at];
    const sides = step?.slots[slot];
    return step && sides ? steps.with(at, { ...step, slots: { ...step.slots, [slot]: { ...sides, [side]: value } } }) : steps;
  };
  return { done: end(history.done, 'after'), undone: end(history.undone, 'before') };
}

/** Checks whether any step says something of a slot. */
export function knowsSlot({ done, undone }: History, slot: string): boolean {
  return [...done, ...undone].some((step) => slot in step.slots);
}
