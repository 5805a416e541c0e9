/**
 * Rows on the clipboard: as text, so that they get into other tabs, browsers and tools, and under a
 * format of their own, so that other pages do not mistake them. The last ones stay in the storage of
 * the page, too: by these the menus know whether there is something to paste, without asking.
 */
import { isObject } from '../shape';

/** Rows that were copied, and the workspace that they are from. */
export interface Clip {
  workspace: string;
  rows: readonly unknown[];
}

export const CLIP_FORMAT = 'application/x-recto-rows+json';
/** The most that is taken from a clipboard, in characters and in rows. */
const LONGEST = 4_000_000;
const MOST_ROWS = 500;
/** Values that are nested deeper would break whoever walks through them. */
const DEEPEST = 100;
const PREFIX = 'recto.clip.';

/** Returns a clip as text. */
export function clipText({ workspace, rows }: Clip): string {
  return JSON.stringify({ recto: 'rows', workspace, rows }, null, 2);
}

/** The clip that a text is; nothing when it is any other text. */
export function parseClip(text: string): Clip | undefined {
  if (text.length > LONGEST || !text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || value.recto !== 'rows' || !Array.isArray(value.rows)) return undefined;
    const rows = value.rows.filter(isObject).slice(0, MOST_ROWS);
    const workspace = typeof value.workspace === 'string' ? value.workspace.slice(0, 64) : '';
    return rows.length > 0 && !isDeeperThan(rows, DEEPEST) ? { workspace, rows } : undefined;
  } catch {
    return undefined;
  }
}

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((it) => isDeeperThan(it, depth - 1));
}

/** The clip in what a paste brings. */
export function readClip(data: DataTransfer): Clip | undefined {
  return parseClip(data.getData(CLIP_FORMAT) || data.getData('text/plain'));
}

/** Writes a clip to the system's clipboard; whether the browser let it. */
export async function writeClip(text: string): Promise<boolean> {
  const plain = new Blob([text], { type: 'text/plain' });
  const own = `web ${CLIP_FORMAT}`;
  try {
    const formats = { 'text/plain': plain, [own]: new Blob([text], { type: CLIP_FORMAT }) };
    await navigator.clipboard.write([new ClipboardItem(formats)]);
    return true;
  } catch {
    // Not every browser takes formats of a page's own.
  }
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

const listeners = new Set<() => void>();
/** The last clip of this page, for when the storage refuses it. */
let kept: { key: string; text: string } | undefined;
let parsed: { text: string; clip: Clip | undefined } | undefined;

/** Keeps a clip in the page, for the user who made it. */
export function keepClip(user: string, text: string): void {
  const key = PREFIX + user;
  kept = { key, text };
  try {
    localStorage.setItem(key, text);
  } catch {
    // There is no room, or no storage: then it stays in memory, and an older one makes way for it.
    forget(key);
  }
  for (const listener of listeners) listener();
}

function forget(key: string): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // There is no storage.
  }
}

/** The clip that was kept last, in whichever tab: the same object for as long as it is the same. */
export function keptClip(user: string): Clip | undefined {
  const key = PREFIX + user;
  let text = kept?.key === key ? kept.text : '';
  try {
    text = localStorage.getItem(key) ?? text;
  } catch {
    // What is in memory counts.
  }
  if (parsed?.text !== text) parsed = { text, clip: parseClip(text) };
  return parsed.clip;
}

/** Calls back when another clip is kept, here or in another tab. */
export function subscribeToClip(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
