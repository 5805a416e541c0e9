/** The id of the list. There is one menu on a page at a time. */
export const LIST_ID = 'recto-slash';

/** The id of the option at a place. */
export function optionId(at: number): string {
  return `${LIST_ID}-${at}`;
}
