import { type Language, language, setLanguage } from './index';

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
  version += 1;
  for (const listener of listeners) listener();
}
