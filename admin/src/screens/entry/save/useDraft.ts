import { useCallback, useEffect, useRef, useState } from 'react';
import { useMe } from '~/api/session';
import { t } from '~/i18n';
import { showUndo } from '~/ui/feedback';
import type { Values } from '../form/form';
import { type EntryForm, hasTexts, isKeepable } from '../form/store';
import { type Draft, draftKey, draftPlace, dropDraft, findDrafts, type FoundDraft, hasUnsavedValues, keepDraft } from './drafts';
import { findOpenForms, holdForm, nameForm } from './open-forms';
import { type PutOff, putOff } from './put-off';

/** A draft is kept after a pause in typing; while there is none, what is lost in a crash is this much. */
const PATIENCE = { quiet: 800, longest: 2000 };

interface Drafts {
  /** The newest draft that another form has left behind, until somebody has decided about it. */
  found: FoundDraft | undefined;
  /** True if what is in the form is kept on this device, but perhaps for the last letters. */
  kept: boolean;
  /** It is decided what becomes of a draft that was found; the next one is offered. */
  settle: (draft: FoundDraft) => void;
  /** Deletes a draft that was found, with an offer to undo that. */
  discard: (draft: FoundDraft) => Promise<void>;
  /** Drops the draft of this form: what it says is elsewhere now, or given up. */
  drop: () => Promise<void>;
  /** The form was saved: only what was typed meanwhile is kept. */
  saved: () => void;
}

/** Keeps unsaved changes on this device, and finds those of last time. */
export function useDraft(workspace: string, type: string, id: string, form: EntryForm): Drafts {
  const place = draftPlace(useMe().id, workspace, type, id);
  const [name] = useState(nameForm);
  useEffect(() => holdForm(name), [name]);
  const { found, settle: forget, offer } = useLeftBehind(place, form);
  const { kept, keep, drop, update } = useOwnDraft(draftKey(place, name), form);
  const settle = async (draft: FoundDraft) => {
    const drafts = forget(draft);
    // What was restored is kept anew before the draft that it came from goes.
    if (isKeepable(form.state()) && !(await keep())) return;
    await dropAll(drafts);
  };
  const discard = async (draft: FoundDraft) => {
    const drafts = forget(draft);
    await dropAll(drafts);
    showUndo(t('entry.draft.discarded'), async () => {
      await Promise.all(drafts.map(({ key, ...it }) => keepDraft(key, it)));
      offer(drafts);
    });
  };
  return { found, kept, settle: (draft) => void settle(draft), discard, drop, saved: update };
}

/** Finds the drafts of a place. Those that nobody decides about stay where they are. */
function useLeftBehind(place: string, form: EntryForm) {
  const [found, setFound] = useState<{ place: string; drafts: readonly FoundDraft[] }>({ place, drafts: [] });
  useEffect(() => {
    let left = false;
    void findLeftBehind(place, form).then((drafts) => {
      if (!left && drafts.length > 0) setFound({ place, drafts });
    });
    return () => {
      left = true;
    };
  }, [place, form]);
  /** Offers a draft no longer, nor those that say what the form says now. Gives all of these. */
  const settle = (decided: FoundDraft): FoundDraft[] => {
    const { values } = form.state();
    const isOver = (it: FoundDraft) => it.key === decided.key || !hasUnsavedValues(values, it);
    setFound((now) => ({ ...now, drafts: now.drafts.filter((it) => !isOver(it)) }));
    return found.drafts.filter(isOver);
  };
  /** Offers drafts again that were settled. */
  const offer = (drafts: readonly FoundDraft[]) => setFound((now) => (now.place === place ? { place, drafts: [...drafts, ...now.drafts] } : now));
  // A new entry has an id now: what was found at the address that it was typed at belongs to others.
  return { found: found.place === place ? found.drafts[0] : undefined, settle, offer };
}

async function findLeftBehind(place: string, form: EntryForm): Promise<FoundDraft[]> {
  const drafts = await findDrafts(place, await findOpenForms());
  const { base } = form.state();
  // What is saved already is not to come up again when the entry has moved on.
  await dropAll(drafts.filter((it) => !hasUnsavedValues(base, it)));
  return drafts.filter((it) => hasUnsavedValues(base, it));
}

async function dropAll(drafts: readonly FoundDraft[]): Promise<void> {
  await Promise.all(drafts.map(({ key }) => dropDraft(key)));
}

/** Keeps the changes of a form under its key, wherever that moves. */
function useOwnDraft(key: string, form: EntryForm) {
  const [kept, setKept] = useState(false);
  const last = useRef(key);
  const later = useRef<PutOff>(undefined);
  const drop = useCallback(async () => {
    later.current?.cancel();
    setKept(false);
    await dropDraft(last.current);
  }, []);
  const keep = useCallback(async () => {
    const isKept = await keepDraft(key, draftOf(form));
    setKept(isKept);
    if (isKept && last.current !== key) {
      const before = last.current;
      last.current = key;
      await dropDraft(before);
    }
    return isKept;
  }, [form, key]);
  const update = useCallback(() => void (isKeepable(form.state()) ? keep() : drop()), [form, drop, keep]);
  useEffect(() => {
    const { touch, flush } = (later.current = putOff(update, PATIENCE));
    let before = form.state();
    // What was typed while a new entry was on its way to its id.
    if (isKeepable(before)) touch();
    const stop = form.subscribe(() => {
      const now = form.state();
      const isSame = now.values === before.values && now.changed === before.changed && now.texts === before.texts && now.raw === before.raw;
      before = now;
      if (!isSame) touch();
    });
    // A page that is hidden or left may never run again.
    const hidden = () => document.visibilityState === 'hidden' && flush();
    document.addEventListener('visibilitychange', hidden);
    window.addEventListener('pagehide', flush);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', hidden);
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [form, update]);
  return { kept, keep, drop, update };
}

/** Returns the present changes. */
function draftOf(form: EntryForm): Draft {
  const state = form.state();
  const { changed, base, values, entry, texts, raw } = state;
  const part = (all: Values) => Object.fromEntries([...changed].map((slot) => [slot, all[slot] ?? null]));
  return { etag: entry?.etag ?? '', at: new Date().toISOString(), mine: part(values), base: part(base), ...(hasTexts(state) && { texts, ...(raw?.problem !== undefined && { raw }) }) };
}
