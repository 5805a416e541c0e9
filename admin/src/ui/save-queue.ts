import { useCallback, useEffect, useRef } from 'react';

/** Saves what is given, and gives what was saved; nothing if it was refused. */
type Save<Given, Saved> = (given: Given) => Promise<Saved | undefined>;

/**
 * Returns a function that saves one at a time. Asked while a save is under way, it saves once more after
 * that one, unless that was refused: with all that was given meanwhile, of the same name what came last.
 */
export function saveQueue<Given extends object, Saved>(save: Save<Given, Saved>): Save<Given, Saved> {
  let running: Promise<Saved | undefined> | undefined;
  let next: { given: Given; saved: Promise<Saved | undefined> } | undefined;
  const start = (given: Given) => {
    running = save(given).finally(() => {
      running = undefined;
    });
    return running;
  };
  return (given) => {
    if (next) {
      Object.assign(next.given, given);
      return next.saved;
    }
    if (!running) return start(given);
    const queued = { ...given };
    const saved = running.then(async (before) => {
      // The page has to know first what became of the save before.
      await new Promise((resolve) => setTimeout(resolve));
      next = undefined;
      return before === undefined ? undefined : start(queued);
    });
    next = { given: queued, saved };
    return saved;
  };
}

/** Returns a {@link saveQueue} for as long as the component is there, which saves as the last render says. */
export function useSaveQueue<Given extends object, Saved>(save: Save<Given, Saved>): Save<Given, Saved> {
  const latest = useRef(save);
  useEffect(() => {
    latest.current = save;
  });
  const queue = useRef<Save<Given, Saved>>(undefined);
  return useCallback((given) => {
    queue.current ??= saveQueue((it) => latest.current(it));
    return queue.current(given);
  }, []);
}
