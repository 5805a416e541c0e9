import { useWindowEvent } from '@mantine/hooks';
import { fieldId } from './ids';

const REVEAL = 'recto:reveal-field';
/** Milliseconds after which the nearest part that has an input takes the focus for the time being. */
const NEAREST_AFTER = 2000;
/** Milliseconds for which the input itself is waited for: slow devices take long to load an editor. */
const GIVE_UP_AFTER = 20_000;
const FOCUSABLE = 'input, textarea, select, button, [contenteditable=true], [tabindex]:not([tabindex="-1"])';

interface FocusOptions {
  scope?: string;
  /** The place in the window where the input comes to be. */
  block?: ScrollLogicalPosition;
}

/** Ends the search that is under way. */
let stopSearch = () => {};

/**
 * Moves the focus to the input of a path (of `error.fields`, say), or else to the nearest part of it
 * that has one. Rows that contain the input are opened. The search ends when the user presses a key
 * or clicks: from then on the focus is theirs. The `scope` is that of a second form on the page.
 */
export function focusField(path: string, { scope = '', block = 'center' }: FocusOptions = {}): void {
  stopSearch();
  const user = new AbortController();
  const stop = () => user.abort();
  stopSearch = stop;
  // Not a hook: buttons call this function, and the listeners end with the search.
  for (const event of ['keydown', 'pointerdown']) window.addEventListener(event, stop, { capture: true, signal: user.signal });
  const elementOf = (it: string) => document.getElementById(scope + fieldId(it));
  const begun = performance.now();
  let nearest = false;
  const find = () => {
    if (user.signal.aborted) return;
    const waited = performance.now() - begun;
    const input = elementOf(path);
    if (input) focusInput(input, block);
    if (input || waited > GIVE_UP_AFTER) return stop();
    if (!nearest && waited > NEAREST_AFTER) {
      nearest = true;
      const part = enclosingPaths(path).map(elementOf).find((it) => it !== null);
      if (part && !part.contains(document.activeElement)) focusInput(part, block);
    }
    // Rows within rows open one after the other, and inputs are loaded in the meantime.
    window.dispatchEvent(new CustomEvent(REVEAL, { detail: path }));
    requestAnimationFrame(find);
  };
  // After the language that was asked for has been drawn.
  requestAnimationFrame(find);
}

/** A path and all that it lies in, the nearest first: `links[2].url`, `links[2]`, `links`. */
export function enclosingPaths(path: string): string[] {
  const parts = [path];
  for (let rest = path; /[.[]/.test(rest); ) {
    rest = rest.replace(/(?:\.[^.[]*|\[[^.[]*)$/, '');
    parts.push(rest);
  }
  return parts;
}

/** Some inputs are made of several elements: then the first of those takes the focus. */
function focusInput(element: HTMLElement, block: ScrollLogicalPosition): void {
  const target = element.matches(FOCUSABLE) ? element : (element.querySelector<HTMLElement>(FOCUSABLE) ?? element);
  target.scrollIntoView({ block });
  target.focus({ preventScroll: true });
}

/** Calls back with the path of an input that is about to take the focus and is not there. */
export function useReveal(onReveal: (path: string) => void): void {
  useWindowEvent(REVEAL, (event: CustomEvent<string>) => onReveal(event.detail));
}
