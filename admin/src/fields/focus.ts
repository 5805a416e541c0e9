import { useEffect, useRef } from 'react';
import { fieldId } from './ids';

const REVEAL = 'recto:reveal-field';
/** How long an input may take to be there: it can be in a language or in a row that has to open first. */
const PATIENCE = 2000;
const FOCUSABLE = 'input, textarea, select, button, [contenteditable=true], [tabindex]:not([tabindex="-1"])';

/**
 * Moves the focus to the input of a path (of `error.fields`, say), or else of the nearest part of it
 * that has one; rows that it is in are opened.
 */
export function focusField(path: string): void {
  const until = performance.now() + PATIENCE;
  const find = () => {
    const late = performance.now() > until;
    const found = (late ? partsOf(path) : [path]).map((it) => document.getElementById(fieldId(it))).find((it) => it !== null);
    if (found) take(found);
    else if (!late) {
      // Rows within rows open one after the other, and inputs are loaded in the meantime.
      window.dispatchEvent(new CustomEvent(REVEAL, { detail: path }));
      requestAnimationFrame(find);
    }
  };
  // After the language that was asked for has been drawn.
  requestAnimationFrame(find);
}

/** A path and all that it lies in, the nearest first: `links[2].url`, `links[2]`, `links`. */
export function partsOf(path: string): string[] {
  const parts = [path];
  for (let rest = path; /[.[]/.test(rest); ) {
    rest = rest.replace(/(?:\.[^.[]*|\[[^.[]*)$/, '');
    parts.push(rest);
  }
  return parts;
}

/** Some inputs are made of several elements: then the first of those takes the focus. */
function take(element: HTMLElement): void {
  const target = element.matches(FOCUSABLE) ? element : (element.querySelector<HTMLElement>(FOCUSABLE) ?? element);
  target.scrollIntoView({ block: 'center' });
  target.focus({ preventScroll: true });
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
