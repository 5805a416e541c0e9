/** Brings inputs into view. */
import { fieldId } from '~/fields/FieldInput';

/** How long an input may take to be there: it can be in a language or row that has to open first. */
const PATIENCE = 2000;
const FOCUSABLE = 'input, textarea, select, button, [contenteditable=true], [tabindex]:not([tabindex="-1"])';

/** Gives the keyboard to the input of a path, or of the nearest part of it that has one. */
export function focusPath(path: string): void {
  const paths = [path];
  for (let rest = path; /[.[]/.test(rest); ) {
    rest = rest.replace(/(?:\.[^.[]*|\[[^[]*)$/, '');
    paths.push(rest);
  }
  const ids = paths.map(fieldId);
  const until = performance.now() + PATIENCE;
  const look = () => {
    const late = performance.now() > until;
    const found = (late ? ids : ids.slice(0, 1)).map((id) => document.getElementById(id)).find((it) => it !== null);
    if (found) take(found);
    else if (!late) requestAnimationFrame(look);
  };
  // After the panel or language that was asked for has been drawn.
  requestAnimationFrame(look);
}

function take(element: HTMLElement): void {
  const target = element.matches(FOCUSABLE) ? element : (element.querySelector<HTMLElement>(FOCUSABLE) ?? element);
  target.scrollIntoView({ block: 'center' });
  target.focus({ preventScroll: true });
}
