import { useEffect, useRef } from 'react';
import { fieldId } from './ids';

const REVEAL = 'recto:reveal-field';

/** Moves the focus to the input of a path (of `error.fields`, say); rows that it is in are opened. */
export function focusField(path: string): void {
  let tries = 0;
  const find = () => {
    const element = document.getElementById(fieldId(path));
    if (element) {
      element.scrollIntoView({ block: 'center' });
      element.focus({ preventScroll: true });
    } else if (tries < 60) {
      // Rows within rows open one after the other, and inputs are loaded in the meantime.
      tries += 1;
      window.dispatchEvent(new CustomEvent(REVEAL, { detail: path }));
      requestAnimationFrame(find);
    }
  };
  find();
}

/** Calls back with the path of an input that is about to take the focus and is not there. */
export function useReveal(onReveal: (path: string) => void): void {
  const latest = useRef(onReveal);
  useEffect(() => {
    latest.current = onReveal;
  });
  useEffect(() => {
    const listen = (event: Event) => latest.current((event as CustomEvent<string>).detail);
    window.addEventListener(REVEAL, listen);
    return () => window.removeEventListener(REVEAL, listen);
  }, []);
}
