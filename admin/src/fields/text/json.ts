/** JSON as a text that is being typed. */

/** The text of a value; nothing where there is none. */
export function jsonText(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}

/** The value of a text, or what is wrong with it. An empty text is no value. */
export function parseJson(text: string): { value: unknown; problem?: undefined } | { value?: undefined; problem: string } {
  if (text.trim() === '') return { value: null };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

export function prettyJson(text: string): string {
  const { value, problem } = parseJson(text);
  return problem === undefined ? jsonText(value) : text;
}

export function compactJson(text: string): string {
  const { value, problem } = parseJson(text);
  return problem === undefined && value !== null ? JSON.stringify(value) : text;
}

/** Checks whether two values are the same JSON, order of keys included. */
export function sameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}

/** The first number of a JSON text that JavaScript cannot keep: it would be saved as another one. */
export function unkeptNumber(text: string): string | undefined {
  return unkeptNumbers(text).at(0);
}

/** All numbers of a JSON text that JavaScript cannot keep. */
export function unkeptNumbers(text: string): string[] {
  const numbers = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""').match(/-?\d[\d.e+-]*/gi) ?? [];
  return numbers.filter((it) => !isKept(it));
}

function isKept(number: string): boolean {
  const value = Number(number);
  const digits = digitsOf(number);
  if (digits !== digitsOf(String(value))) return false;
  // Beyond those that are exact, what is shown may have been another number in the file.
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER || (/e/i.test(number) && digits.length <= 15);
}

/** The digits that count: `1234` for `12.340e5`. */
function digitsOf(number: string): string {
  return number
    .replace(/e.*/i, '')
    .replaceAll(/\D/g, '')
    .replaceAll(/^0+|0+$/g, '');
}
