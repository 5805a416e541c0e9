import { useCallback, useEffect, useRef, useState } from 'react';
import { useMe } from '~/api/session';
import type { Values } from '../form/form';
import type { EntryForm } from '../form/store';
import { type Draft, draftKey, dropDraft, findDraft, hasUnsavedValues, keepDraft } from './drafts';

/** The pause in typing after which a draft is kept, in milliseconds. */
const QUIET = 800;

interface Drafts {
  /** The draft that was found when the entry was opened, until somebody has decided about it. */
  found: Draft | undefined;
  /** True if what is in the form is kept on this device. */
  kept: boolean;
  /** It is decided what becomes of the draft that was found. */
  settle: () => void;
  /** Drops the draft: it is saved, or given up. */
  drop: () => Promise<void>;
}

/** Keeps unsaved changes on this device, and finds those of last time. */
export function useDraft(workspace: string, type: string, id: string, form: EntryForm): Drafts {
  const key = draftKey(useMe().id, workspace, type, id);
  const [found, setFound] = useState<Draft>();
  const [kept, setKept] = useState(false);
  const undecided = useRef<Draft>(undefined);
  useEffect(() => {
    undecided.current = found;
  });
  const first = useRef(key);
  useEffect(() => {
    let left = false;
    void findDraft(first.current).then((draft) => {
      if (!left && draft && hasUnsavedValues(form.state().values, draft)) setFound(draft);
    });
    return () => {
      left = true;
    };
  }, [form]);
  const drop = useCallback(async () => {
    setKept(false);
    await (undecided.current ? keepDraft(key, undecided.current) : dropDraft(key));
    // A new entry has an id now; its draft goes with the address that it was typed at.
    if (first.current !== key) await dropDraft(first.current);
  }, [key]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let { values, changed } = form.state();
    const keep = async () => {
      if (form.state().changed.size === 0) await drop();
      else setKept(await keepDraft(key, draftOf(form, undecided.current)));
    };
    const stop = form.subscribe(() => {
      const now = form.state();
      if (now.values === values && now.changed === changed) return;
      ({ values, changed } = now);
      setKept(false);
      clearTimeout(timer);
      timer = setTimeout(keep, QUIET);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [form, key, drop]);
  const settle = useCallback(() => {
    undecided.current = undefined;
    setFound(undefined);
    if (form.state().changed.size === 0) void dropDraft(key);
  }, [form, key]);
  return { found, kept, settle, drop };
}

/** Returns the present changes; beside them the undecided draft that was found, so that neither is lost. */
function draftOf(form: EntryForm, undecided: Draft | undefined): Draft {
  const { changed, base, values, entry } = form.state();
  const part = (all: Values) => Object.fromEntries([...changed].map((slot) => [slot, all[slot] ?? null]));
  return {
    etag: entry?.etag ?? '',
    at: new Date().toISOString(),
    mine: { ...undecided?.mine, ...part(values) },
    base: { ...undecided?.base, ...part(base) },
  };
}
