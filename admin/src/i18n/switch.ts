import { type Clock, currentClock, type Language, language, setClock, setLanguage } from './index';

let version = 0;
const listeners = new Set<() => void>();

/** Counts how often the language was changed. */
export function languageVersion(): number {
  return version;
}

export function onLanguage(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Speaks another language from now on. */
export async function switchLanguage(code: Language): Promise<void> {
  if (code === language()) return;
  await setLanguage(code);
  mountAnew();
}

/** Shows times by another clock from now on. */
export function switchClock(clock: Clock | undefined): void {
  if (clock === currentClock()) return;
  setClock(clock);
  mountAnew();
}

function mountAnew(): void {
  version += 1;
  for (const listener of listeners) listener();
}
