/** The undo of text inputs: what is typed in one is taken back there first, letter by letter. */

interface OwnUndo {
  canUndo: () => boolean;
  canRedo: () => boolean;
}

const editors = new WeakMap<Element, OwnUndo>();
/** The input that has the focus, with its text at that time, for those that only the browser knows about. */
let entered: { input: Element; text: string } | undefined;

if (typeof window !== 'undefined') {
  window.addEventListener('focusin', ({ target }) => rememberText(target), true);
}

/** Tells of an editor that takes back by itself what was typed into it. */
export function registerOwnUndo(element: Element, own: OwnUndo): void {
  editors.set(element, own);
}

/** From now on, the text in an input is the one that the input cannot take back. */
export function rememberText(input: EventTarget | null): void {
  entered = isTextInput(input) ? { input, text: textOf(input) } : undefined;
}

/** Checks whether keys are typed as text into an element. */
export function isTextInput(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NO_TEXT.has(target.type);
  return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

const NO_TEXT = new Set(['checkbox', 'radio', 'range', 'color', 'file', 'button', 'submit', 'reset', 'image']);

/** Checks whether the input has something to take back, or to make once more, by itself. */
export function hasOwnUndo(input: HTMLElement, direction: 'undo' | 'redo'): boolean {
  const editor = editorAround(input);
  if (editor && (direction === 'undo' ? editor.canUndo() : editor.canRedo())) return true;
  if (editors.has(input)) return false;
  // What the browser could redo, nobody knows: that is taken to be so only where something was typed.
  return entered?.input !== input || textOf(input) !== entered.text;
}

/** The editor that an input is, or is a part of, such as a cell of a table. */
function editorAround(input: Element): OwnUndo | undefined {
  for (let element: Element | null = input; element; element = element.parentElement) {
    const editor = editors.get(element);
    if (editor) return editor;
  }
  return undefined;
}

function textOf(input: Element): string {
  return input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement ? input.value : (input.textContent ?? '');
}
