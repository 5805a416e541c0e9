/** Numbers as people write them, in the language of the interface. */

/** The sign between a number and its decimals. */
export function decimalSign(language: string): string {
  return new Intl.NumberFormat(language).formatToParts(1.5).find((it) => it.type === 'decimal')?.value ?? '.';
}

/** A number as it stands in an input: with the decimal sign of the language, ungrouped. */
export function numberText(value: number, language: string): string {
  const text = String(value);
  return text.includes('e') ? text : text.replace('.', decimalSign(language));
}

/**
 * The number that a text means; nothing while it is none. `1,5` and `1.5` are the same number
 * everywhere; a sign before exactly three digits groups where the language groups that way.
 */
export function parseNumber(text: string, language: string): number | undefined {
  let tidy = text.trim().replaceAll(/[\s'’_]/g, '').replace('−', '-');
  const signs = tidy.match(/[.,]/g) ?? [];
  const last = signs.at(-1);
  if (new Set(signs).size === 2 && last) {
    tidy = tidy.replaceAll(last === ',' ? '.' : ',', '');
  } else if (last && (signs.length > 1 || (last !== decimalSign(language) && /^[+-]?\d{1,3}[.,]\d{3}$/.test(tidy)))) {
    if (!/^[+-]?\d{1,3}([.,]\d{3})+$/.test(tidy)) return undefined;
    tidy = tidy.replaceAll(last, '');
  }
  tidy = tidy.replace(',', '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(tidy) && Number.isFinite(Number(tidy)) ? Number(tidy) : undefined;
}

/** The next value when the arrow keys are pressed, within the bounds and without noise of floats. */
export function stepNumber(value: number, by: number, min?: number, max?: number): number {
  const places = Math.max(decimalsOf(value), decimalsOf(by));
  const next = Number((value + by).toFixed(Math.min(places, 15)));
  return Math.min(max ?? Number.POSITIVE_INFINITY, Math.max(min ?? Number.NEGATIVE_INFINITY, next));
}

function decimalsOf(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}
