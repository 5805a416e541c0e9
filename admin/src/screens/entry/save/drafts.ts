/**
 * The unsaved values, kept on this device. Small drafts are in the local storage, large
 * ones in a database of the browser; both fail quietly where the browser forbids them.
 */
import { isSameValue } from '~/diff/values';
import type { Values } from '../form/form';
import type { FormState } from '../form/store';

export interface Draft {
  /** The version that it was begun from; empty for a new entry. */
  etag: string;
  /** The time at which it was kept. */
  at: string;
  /** The values that were changed, as they are now. */
  mine: Values;
  /** The same values as they were before. */
  base: Values;
  /** The texts that were no values yet, by input. */
  texts?: FormState['texts'];
  /** The entry as JSON, if it could not be read. */
  raw?: FormState['raw'];
}

/** A draft that was found, with the key that it is kept under. */
export interface FoundDraft extends Draft {
  key: string;
}

/** Beyond this many characters a draft does not go into the local storage. */
const LARGE = 2_000_000;
const PREFIX = 'recto.draft.';

/** The place of all drafts of an entry. Drafts belong to a user, since a device may be shared. */
export function draftPlace(user: string, workspace: string, type: string, id: string): string {
  return `${PREFIX}${user}/${workspace}/${type}/${id}`;
}

/** The key of the draft of one form: two tabs with the same entry do not write over each other. */
export function draftKey(place: string, form: string): string {
  return `${place}#${form}`;
}

/** Keeps a draft; whether it is kept. */
export async function keepDraft(key: string, draft: Draft): Promise<boolean> {
  const text = JSON.stringify(draft);
  if (text.length <= LARGE) {
    try {
      localStorage.setItem(key, text);
      return true;
    } catch {
      // There is no room left: the database has more.
    }
  }
  try {
    await inDatabase('readwrite', (store) => store.put(text, key));
    localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}

/** Returns the drafts of a place that no open form goes on with, the newest first. */
export async function findDrafts(place: string, open: ReadonlySet<string>): Promise<FoundDraft[]> {
  const start = draftKey(place, '');
  // Before forms had drafts of their own, the place was the key.
  const keys = (await listKeys()).filter((key) => key === place || (key.startsWith(start) && !open.has(key.slice(start.length))));
  const found = await Promise.all(keys.map(readDraft));
  return found.filter((it) => it !== undefined).sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** The draft under a key, if there is one that can be read. */
async function readDraft(key: string): Promise<FoundDraft | undefined> {
  try {
    const text = localStorage.getItem(key) ?? (await inDatabase<unknown>('readonly', (store) => store.get(key)));
    return typeof text === 'string' ? { ...(JSON.parse(text) as Draft), key } : undefined;
  } catch {
    return undefined;
  }
}

async function listKeys(): Promise<string[]> {
  const keys = new Set<string>();
  try {
    for (let at = 0; at < localStorage.length; at++) keys.add(localStorage.key(at) ?? '');
    for (const key of await inDatabase<IDBValidKey[]>('readonly', (store) => store.getAllKeys())) keys.add(String(key));
  } catch {
    // Without a database, there is what the local storage has.
  }
  return [...keys];
}

export async function dropDraft(key: string): Promise<void> {
  try {
    localStorage.removeItem(key);
    await inDatabase('readwrite', (store) => store.delete(key));
  } catch {
    // Then there is none.
  }
}

/** Checks whether a draft says anything that is not saved already. */
export function hasUnsavedValues(values: Values, draft: Draft): boolean {
  return draft.raw !== undefined || draft.texts !== undefined || Object.keys(draft.mine).some((slot) => !isSameValue(values[slot], draft.mine[slot]));
}

/** The slots of a draft that others have changed since it was begun. */
export function overtakenSlots(values: Values, draft: Draft): string[] {
  return Object.keys(draft.mine).filter((slot) => !isSameValue(values[slot], draft.base[slot]) && !isSameValue(values[slot], draft.mine[slot]));
}

function inDatabase<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T> | IDBRequest): Promise<T> {
  return new Promise((resolve, reject) => {
    // Requests to the database report by events; no hook listens to them.
    const opening = indexedDB.open('recto', 1);
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('drafts'));
    opening.addEventListener('error', () => reject(opening.error));
    opening.addEventListener('success', () => {
      const database = opening.result;
      const transaction = database.transaction('drafts', mode);
      const asked = act(transaction.objectStore('drafts'));
      transaction.addEventListener('complete', () => {
        database.close();
        resolve(asked.result as T);
      });
      transaction.addEventListener('abort', () => {
        database.close();
        reject(transaction.error);
      });
    });
  });
}
