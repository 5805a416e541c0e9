/** The strength of a password, and the source of good ones. */

/** The shortest password that the server takes, in bytes. */
export const PASSWORD_BYTES_MIN = 8;

export type Strength = 0 | 1 | 2 | 3 | 4;

const KINDS: readonly [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/[0-9]/, 10],
  [/[ -/:-@[-`{-~]/, 33],
  [/[^ -~]/, 100],
];

/** A guess from length and kinds of characters; runs and repetitions count less. */
export function estimateStrength(password: string): Strength {
  if (new TextEncoder().encode(password).length < PASSWORD_BYTES_MIN) return 0;
  const alphabet = KINDS.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0);
  const bits = Math.log2(Math.max(alphabet, 2)) * weight(password);
  return bits < 40 ? 1 : bits < 56 ? 2 : bits < 80 ? 3 : 4;
}

/** Counts the characters that add something new: not those that follow from the one before. */
function weight(password: string): number {
  const codes = [...password].map((it) => it.codePointAt(0) ?? 0);
  const fresh = codes.filter((code, at) => {
    const before = codes[at - 1];
    return before === undefined || Math.abs(code - before) > 1;
  });
  const different = new Set(codes).size;
  return Math.min(fresh.length, different * 2);
}

// Without characters that look like another one.
const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A password of 20 random letters in groups that can be read out. */
export function generatePassword(): string {
  const groups = Array.from({ length: 4 }, () => Array.from({ length: 5 }, letter).join(''));
  return groups.join('-');
}

function letter(): string {
  const limit = 256 - (256 % LETTERS.length);
  const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
  // Bytes beyond the last whole multiple would make some letters likelier.
  return byte < limit ? LETTERS.charAt(byte % LETTERS.length) : letter();
}
