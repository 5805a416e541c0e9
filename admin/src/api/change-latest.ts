import { isApiError } from './error';

/** The times that something is changed anew, if others were faster. */
const TRIES = 4;

/**
 * Changes what was read, on the condition that it is still so. While others were faster, it is read anew,
 * and the change is made on top of theirs.
 */
export async function changeLatest<Known, Saved>(
  read: (anew: boolean) => Promise<Known>,
  change: (known: Known) => Promise<Saved>,
  tried = 1,
): Promise<Saved> {
  try {
    return await change(await read(tried > 1));
  } catch (error) {
    if (tried === TRIES || !isApiError(error, 'precondition_failed')) throw error;
    return await changeLatest(read, change, tried + 1);
  }
}
