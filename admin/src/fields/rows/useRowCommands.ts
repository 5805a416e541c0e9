import { type RefObject, useEffect, useMemo, useState } from 'react';
import type { Preset } from '~/api/fields';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { Refused, showError } from '~/ui/feedback';
import { isTextInput } from '~/ui/own-undo';
import { withCommand } from '~/ui/shortcuts';
import { CLIP_FORMAT, type Clip, clipText, keepClip, readClip, writeClip } from './clip';
import { takesAny } from './fit';
import { fitClip } from './usePaste';
import type { RowActions } from './useRows';
import type { Selection } from './useSelection';

/** The commands on a row, or on all that are selected if it is one of these. */
export interface RowCommands {
  move: (key: string, by: -1 | 1) => void;
  insertBelow: (key: string) => void;
  duplicate: (key: string) => void;
  copy: (key: string) => void;
  cut: (key: string) => void;
  remove: (key: string) => void;
  /** Puts the rows of a clip below a row, else at the end. */
  paste: (clip: Clip, key?: string) => void;
  insertPreset: (at: number, preset: Preset) => void;
  select: (key: string, range?: boolean) => void;
  /** Nothing where presets are not for this user to make. */
  savePreset: ((key: string) => void) | undefined;
}

interface CommandsOptions {
  list: RefObject<HTMLElement | null>;
  rows: readonly unknown[];
  keys: readonly string[];
  actions: RowActions;
  selection: Selection;
  definition: Parameters<typeof fitClip>[1]['definition'];
  workspace: string;
  readOnly: boolean;
  /** The number of rows that may be added, and that may be removed. */
  room: number;
  spare: number;
  nameOf: (key: string) => string;
  /** Asks for the name of a preset and keeps these rows as one. */
  onPreset: ((rows: readonly unknown[]) => void) | undefined;
}

/** The commands on rows, from menus and from keys: the same functions for as long as the field is there. */
export function useRowCommands(options: CommandsOptions) {
  const { id: user } = useMe();
  const [latest] = useState(() => new Latest(options));
  useEffect(() => latest.set(options));
  const hasPresets = options.onPreset !== undefined;
  const commands = useMemo(() => commandsOf(latest.get, user, hasPresets), [latest, user, hasPresets]);
  const events = useMemo(() => eventsOf(latest.get, commands, user), [latest, commands, user]);
  return { commands, events };
}

type Now = () => CommandsOptions;

/** The facts that the commands depend on, as they were drawn last. */
class Latest {
  constructor(private options: CommandsOptions) {}

  readonly get: Now = () => this.options;

  set(options: CommandsOptions): void {
    this.options = options;
  }
}

/** The rows that a command is for. */
function targetsOf({ selection, keys }: CommandsOptions, key: string | undefined): readonly string[] {
  if (key === undefined || selection.has(key)) return selection.keys;
  return keys.includes(key) ? [key] : [];
}

function rowsOf({ rows, keys }: CommandsOptions, wanted: readonly string[]): unknown[] {
  return wanted.map((key) => rows[keys.indexOf(key)]);
}

function commandsOf(now: Now, user: string, hasPresets: boolean): RowCommands {
  const duplicate = (key: string) => {
    const { actions, room } = now();
    const wanted = targetsOf(now(), key);
    if (wanted.length <= room) actions.duplicate(wanted);
    else showError(new Refused(t('fields.rows.full')));
  };
  const remove = (key: string) => {
    const { actions, spare, nameOf } = now();
    const wanted = targetsOf(now(), key);
    const [only = ''] = wanted;
    if (wanted.length > spare) return showError(new Refused(t('fields.rows.few')));
    actions.remove(wanted, wanted.length === 1 ? nameOf(only) : t('fields.rows.count', { count: wanted.length }));
  };
  const copy = (key: string) => {
    const wanted = targetsOf(now(), key);
    const text = clipText({ workspace: now().workspace, rows: rowsOf(now(), wanted) });
    keepClip(user, text);
    void writeClip(text).then((isWritten) => isWritten || showError(new Refused(t('fields.rows.copiedHere'))));
    now().actions.say(t('fields.rows.copied', { count: wanted.length }));
  };
  return {
    move: (key, by) => now().actions.move(targetsOf(now(), key), by),
    insertBelow: (key) => openInsertion(now(), key),
    duplicate,
    copy,
    cut: (key) => {
      copy(key);
      remove(key);
    },
    remove,
    paste: (clip, key) => void insertClip(now, clip, () => placeBelow(now(), key)),
    insertPreset: (at, { rows }) => void insertClip(now, { workspace: now().workspace, rows }, () => at),
    select: (key, range) => {
      // With Shift, a click selects text as well, which copying would take for what is meant.
      window.getSelection()?.removeAllRanges();
      now().selection.toggle(key, range);
    },
    savePreset: hasPresets ? (key) => now().onPreset?.(rowsOf(now(), targetsOf(now(), key))) : undefined,
  };
}

/** Inserts rows at a place that is asked for at the end: the user may go on while files and entries are looked up. */
async function insertClip(now: Now, clip: Clip, placeOfRows: () => number): Promise<void> {
  const { definition, workspace, room } = now();
  const rows = await fitClip(clip, { definition, workspace, room });
  if (!rows) return;
  now().actions.insertRows(placeOfRows(), rows);
  now().selection.clear();
}

/** The place below a row, or below all that are selected with it; at the end for none. */
function placeBelow(options: CommandsOptions, key: string | undefined): number {
  const last = key === undefined ? undefined : targetsOf(options, key).at(-1);
  return last === undefined ? options.keys.length : options.keys.indexOf(last) + 1;
}

/** Opens the choice of what to insert below a row: that of the row after it, or that at the end. */
function openInsertion({ list }: CommandsOptions, key: string): void {
  const row = list.current?.querySelector(`[data-row="${key}"]`);
  const next = row?.nextElementSibling?.querySelector<HTMLElement>(':scope > [data-between]');
  (next ?? list.current?.querySelector<HTMLElement>(':scope > * > [data-add]'))?.click();
}

/** The events of the list of rows. Rows within rows have a list of their own, which comes first. */
function eventsOf(now: Now, commands: RowCommands, user: string) {
  const put = (event: React.ClipboardEvent, key: string) => {
    const { workspace, actions } = now();
    const wanted = targetsOf(now(), key);
    const text = clipText({ workspace, rows: rowsOf(now(), wanted) });
    event.preventDefault();
    event.stopPropagation();
    event.clipboardData.setData('text/plain', text);
    event.clipboardData.setData(CLIP_FORMAT, text);
    keepClip(user, text);
    actions.say(t('fields.rows.copied', { count: wanted.length }));
  };
  return {
    onCopy: (event: React.ClipboardEvent) => {
      const place = placeOf(now(), event);
      if (place?.key !== undefined && !place.isText) put(event, place.key);
    },
    onCut: (event: React.ClipboardEvent) => {
      const place = placeOf(now(), event);
      if (place?.key === undefined || !place.inHead || now().readOnly) return;
      put(event, place.key);
      commands.remove(place.key);
    },
    onPaste: (event: React.ClipboardEvent) => {
      const { readOnly, definition, list } = now();
      const place = placeOf(now(), event);
      if (!place || place.isText || readOnly) return;
      const clip = readClip(event.clipboardData);
      if (!clip) return;
      // What does not fit here may fit the list that this one is in.
      const isOutermost = !list.current?.parentElement?.closest('[data-rows]');
      if (!takesAny(definition, clip.rows) && !isOutermost) return;
      event.preventDefault();
      event.stopPropagation();
      commands.paste(clip, place.key);
    },
    onKeyDown: (event: React.KeyboardEvent) => {
      const place = placeOf(now(), event);
      if (!place || event.defaultPrevented || !pressKey(now(), commands, event, place)) return;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

interface Place {
  /** The row that the event is in; nothing beside all of them. */
  key: string | undefined;
  /** True if it is in the head of that row. */
  inHead: boolean;
  /** True if the event is that of a text input, or text is selected. */
  isText: boolean;
}

/** The place of an event in the list; nothing for one in a dialog or in a list of a row. */
function placeOf({ list, keys }: CommandsOptions, { target }: React.SyntheticEvent): Place | undefined {
  if (!(target instanceof Element) || !list.current?.contains(target)) return undefined;
  const row = target.closest<HTMLElement>('[data-row]');
  const key = row && list.current.contains(row) ? row.dataset.row : undefined;
  if (key !== undefined && !keys.includes(key)) return undefined;
  const head = target.closest('[data-head]');
  const isText = isTextInput(target) || window.getSelection()?.isCollapsed === false;
  return { key, inHead: key !== undefined && head !== null && head.closest('[data-row]') === row, isText };
}

/** Does what a key says; whether it says something. */
function pressKey({ selection, list, readOnly }: CommandsOptions, commands: RowCommands, event: React.KeyboardEvent, { key, inHead }: Place): boolean {
  if (event.key === 'Escape' && selection.keys.length > 0) {
    selection.clear();
    return true;
  }
  if (!inHead || key === undefined || event.altKey) return false;
  const pressed = event.key.toLowerCase();
  if (withCommand(event)) {
    if (pressed === 'a') selection.selectAll();
    else if (pressed === 'd' && !readOnly) commands.duplicate(key);
    else return false;
    return true;
  }
  if (event.shiftKey && (pressed === 'arrowdown' || pressed === 'arrowup')) {
    const next = selection.extend(key, pressed === 'arrowdown' ? 1 : -1);
    list.current?.querySelector<HTMLElement>(`[data-row="${next}"] [data-toggle]`)?.focus();
    return true;
  }
  if (readOnly || event.shiftKey || (pressed !== 'delete' && pressed !== 'backspace')) return false;
  commands.remove(key);
  return true;
}
