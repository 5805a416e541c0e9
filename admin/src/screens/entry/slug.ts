/** What a slug looks like before the server has made it. */

/** Letters that do not come apart into a base letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss', ẞ: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ð: 'd', đ: 'd', þ: 'th', ł: 'l', ı: 'i', ħ: 'h', '€': 'eur', '&': '-',
};

/**
 * Text as the last part of an address: `Über uns!` becomes `uber-uns`. The server knows more
 * scripts; what it makes counts.
 */
export function slugify(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[ßẞæœøðđþłıħ€&]/g, (letter) => LETTERS[letter] ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 100)
    .replace(/-$/, '');
}
