/** Chunks that are not there when they are wanted: the server has another build by now, or is away. */
import { unreachable } from './api/error';

const KEY = 'recto.reloaded';

/**
 * Reloads the page if the server has another build by now: the chunks of this one went with it.
 * While nobody answers, the page that is there is better than none.
 */
export async function reloadIfReplaced(): Promise<void> {
  const own = await fetch(import.meta.url, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (own?.status !== 404) return;
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  // It was tried just now and did not help.
  if (Date.now() - last < 30_000) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}

/** A chunk; where it cannot be had, an error that the router tells instead of reloading by itself. */
export async function loadChunk<Module>(chunk: Promise<Module>): Promise<Module> {
  try {
    return await chunk;
  } catch {
    await reloadIfReplaced();
    throw unreachable();
  }
}
