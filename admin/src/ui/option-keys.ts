/** The keys and the names of inputs whose list of options is shown below them. */

/** The number of options that Page Up and Page Down go over. */
const PAGE = 8;

/** The place that a key leads to in a list of options; nothing for all other keys, and for an empty list. */
export function placeAfterKey(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'PageDown') return Math.min(at + PAGE, count - 1);
  return key === 'PageUp' ? Math.max(at - PAGE, 0) : undefined;
}

/** The properties of an input that keeps the focus while its options are gone through. */
export function optionsInputProps(list: string, at: number, count: number) {
  return {
    role: 'combobox',
    'aria-expanded': count > 0,
    'aria-controls': list,
    'aria-autocomplete': 'list',
    'aria-activedescendant': count > 0 ? `${list}-${at}` : undefined,
    autoComplete: 'off',
    spellCheck: false,
  } as const;
}
