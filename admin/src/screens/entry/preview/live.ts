/** Shows what is typed to a page in a frame. */
import type { EntryForm, FormState } from '../form/store';

/** The pause in typing after which the page is shown what was typed, in milliseconds. */
const QUIET = 150;

interface Follower {
  /** Asks the server for the entry as the site would get it with what is typed. */
  render: (state: FormState) => Promise<unknown>;
  /** Hands it to the page; `saved` if it has been saved since the last time. */
  show: (entry: unknown, saved: boolean) => void;
  /** Hears of an entry that cannot be shown, and that it can be again. */
  onRefused: (error: unknown) => void;
}

/**
 * Follows a form: what is typed is shown after a moment, what is saved at once. An answer that comes
 * after a later one is dropped. Returns how to stop.
 */
export function followForm(form: EntryForm, { render, show, onRefused }: Follower): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let turn = 0;
  let saved = false;
  let known = form.state();
  const refresh = async () => {
    clearTimeout(timer);
    const mine = ++turn;
    try {
      const entry = await render(form.state());
      if (mine !== turn) return;
      onRefused(undefined);
      show(entry, saved);
      saved = false;
    } catch (error) {
      if (mine === turn) onRefused(error);
    }
  };
  const stop = form.subscribe(() => {
    const now = form.state();
    const isSaved = now.entry?.etag !== known.entry?.etag || now.savedAt !== known.savedAt;
    const isTyped = now.values !== known.values;
    known = now;
    if (isSaved) {
      saved = true;
      void refresh();
    } else if (isTyped) {
      clearTimeout(timer);
      timer = setTimeout(refresh, QUIET);
    }
  });
  void refresh();
  return () => {
    stop();
    clearTimeout(timer);
    turn = -1;
  };
}
