/**
 * The unsaved values, kept on this device. Small drafts are in the local storage, large
 * ones in a database of the browser; both fail quietly where the browser forbids them.
 */
import { isSameValue } from '~/diff/values';
import type { Values } from '../form/form';

export interface Draft {
  /** The version that it was begun from; empty for a new entry. */
  etag: string;
  /** The time at which it was kept. */
  at: string;
  /** The values that were changed, as they are now. */
  mine: Values;
  /** The same values as they were before. */
  base: Values;
}

/** Beyond this many characters a draft does not go into the local storage. */
const LARGE = 2_000_000;
const PREFIX = 'recto.draft.';

/** Drafts belong to a user, since a device may be shared. */
export function draftKey(user: string, workspace: string, type: string, id: string): string {
  return `${PREFIX}${user}/${workspace}/${type}/${id}`;
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

/** The draft that was kept, if there is one that can be read. */
export async function findDraft(key: string): Promise<Draft | undefined> {
  try {
    const text = localStorage.getItem(key) ?? (await inDatabase<unknown>('readonly', (store) => store.get(key)));
    return typeof text === 'string' ? (JSON.parse(text) as Draft) : undefined;
  } catch {
    return undefined;
  }
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
  return Object.keys(draft.mine).some((slot) => !isSameValue(values[slot], draft.mine[slot]));
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
