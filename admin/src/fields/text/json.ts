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
