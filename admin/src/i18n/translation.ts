import { language } from './index';
import type { Translator } from './server';

/** The translator of the server's messages; nothing while the interface speaks English, as the server does. */
export async function serverMessages(): Promise<Translator | undefined> {
  if (language() === 'en') return undefined;
  // Without it, messages stay as they are.
  const module = await import('./server').catch(() => undefined);
  return module?.loadTranslator();
}
