/** Something that is put off until there is calm, but not for ever. */
export interface PutOff {
  /** There is something to do: soon. */
  touch: () => void;
  /** Does at once what is put off; nothing if nothing is. */
  flush: () => void;
  /** Forgets what is put off. */
  cancel: () => void;
}

interface Patience {
  /** The pause after which it is done, in milliseconds. */
  quiet: number;
  /** The longest that it is put off while there is no pause. */
  longest: number;
}

/** Puts something off for a pause, or until it has waited long enough. */
export function putOff(act: () => void, { quiet, longest }: Patience): PutOff {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let since = 0;
  const cancel = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const flush = () => {
    if (timer === undefined) return;
    cancel();
    act();
  };
  const touch = () => {
    const now = Date.now();
    if (timer === undefined) since = now;
    cancel();
    timer = setTimeout(flush, Math.max(0, Math.min(quiet, since + longest - now)));
  };
  return { touch, flush, cancel };
}
