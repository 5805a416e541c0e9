const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i', ħ: 'h',
};

/**
 * Makes the readable part of an address from a text, as the server would: `Über uns!` becomes
 * `uber-uns`. For scripts other than Latin only the server knows; they give nothing here.
 */
export function slugify(text: string): string {
  const letters = text.toLowerCase().normalize('NFKD').replaceAll(/\p{M}/gu, '');
  const ascii = letters.replaceAll(/[^\0-\x7f]/gu, (letter) => LETTERS[letter] ?? (/\p{L}/u.test(letter) ? '\u{10ffff}' : '-'));
  if (ascii.includes('\u{10ffff}')) return '';
  return ascii.replaceAll(/[^a-z0-9]+/g, '-').replace(/^-/, '').slice(0, 100).replace(/-$/, '');
}
