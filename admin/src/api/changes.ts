/** The changes that this page sends. */

/** Milliseconds in which the page draws what the answer to a change leads to. */
const DRAWN_WITHIN = 120;

let underWay = 0;
let answeredAt = Number.NEGATIVE_INFINITY;

/** Counts a change until it is answered. */
export async function trackChange<T>(answer: Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await answer;
  } finally {
    underWay -= 1;
    answeredAt = Date.now();
  }
}

/**
 * True while a change of this page is under way, or was answered a moment ago. What is shown may not
 * exist any more then, such as a file that gets another name.
 */
export function isChanging(): boolean {
  return underWay > 0 || Date.now() - answeredAt < DRAWN_WITHIN;
}
