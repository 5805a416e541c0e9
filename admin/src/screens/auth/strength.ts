/** The strength of a password, shown while it is typed. A hint: the server decides what it accepts. */

/** In bytes, as the server counts. */
export const PASSWORD_BYTES_MIN = 8;
const PASSWORD_BYTES_MAX = 256;

/** 0 is none at all, 4 is strong. */
export type Strength = 0 | 1 | 2 | 3 | 4;

const COMMON = [
  'password', 'passwort', 'kennwort', 'qwertz', 'qwerty', 'asdf', 'letmein', 'welcome', 'willkommen', 'hallo', 'admin', 'recto', 'login',
  'geheim', 'secret', 'iloveyou', 'monkey', 'dragon', 'abc', '123',
];

/** The reasons for which a password is refused. */
type PasswordFlaw = 'short' | 'long' | 'username';

export function passwordFlaw(password: string, username: string): PasswordFlaw | undefined {
  const bytes = new TextEncoder().encode(password).length;
  if (bytes < PASSWORD_BYTES_MIN) return 'short';
  if (bytes > PASSWORD_BYTES_MAX) return 'long';
  return plain(password) === plain(username) ? 'username' : undefined;
}

/** The bits that a guesser has to find, roughly: characters that follow from others hardly count. */
export function estimateStrength(password: string, known: readonly string[] = []): Strength {
  if (passwordFlaw(password, '') === 'short') return password === '' ? 0 : 1;
  const bits = surprising(password, known) * Math.log2(alphabet(password));
  if (bits < 38) return 1;
  if (bits < 54) return 2;
  return bits < 72 ? 3 : 4;
}

function plain(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}

/** Counts the characters that are no repetition, no sequence and no part of a well-known word. */
function surprising(password: string, known: readonly string[]): number {
  let text = plain(password);
  // A word that everybody tries first counts as one character.
  for (const word of [...known.map(plain).filter((it) => it.length > 2), ...COMMON]) text = text.replaceAll(word, '\0');
  const codes = [...text].map((it) => it.codePointAt(0) ?? 0);
  return codes.reduce((sum, code, i) => {
    const step = i === 0 ? Number.NaN : code - (codes[i - 1] ?? 0);
    return sum + (Math.abs(step) <= 1 ? 0.25 : 1);
  }, 0);
}

function alphabet(password: string): number {
  const kinds: readonly (readonly [RegExp, number])[] = [
    [/\p{Ll}/u, 26],
    [/\p{Lu}/u, 26],
    [/\d/, 10],
    [/[^\p{L}\d]/u, 20],
  ];
  return kinds.reduce((sum, [kind, size]) => sum + (kind.test(password) ? size : 0), 0) || 26;
}
