import { type Key } from '~/i18n';
import { passwordFlaw } from './strength';

/** The values of the first page, under the names of the server. */
export interface SetupValues {
  workspace: string;
  username: string;
  display_name: string;
  password: string;
  setup_token: string;
  /** `no` to begin without the sample content. */
  samples: 'yes' | 'no';
}

export type SetupField = keyof SetupValues;

/** In the order of the page: the first one that is wrong gets the focus. */
export const SETUP_FIELDS: readonly SetupField[] = ['setup_token', 'workspace', 'username', 'display_name', 'password'];

/** Returns the problems that can be found without asking the server. */
export function checkSetup(values: SetupValues): Partial<Record<SetupField, Key>> {
  const flaw = values.password === '' ? undefined : passwordFlaw(values.password, values.username);
  return {
    ...(values.username.trim() === '' && { username: 'auth.required' as const }),
    ...(/\s/.test(values.username.trim()) && { username: 'auth.usernameSpaces' as const }),
    ...(values.password === '' && { password: 'auth.required' as const }),
    ...(flaw && { password: `auth.password.${flaw}` as const }),
  };
}

/** The body of the request: without what was left empty. */
export function setupBody(values: SetupValues) {
  const { username, password, samples, ...others } = values;
  const given = Object.entries(others)
    .map(([key, value]) => [key, value.trim()] as const)
    .filter(([, value]) => value !== '');
  return { username: username.trim(), password, ...(samples === 'no' && { samples: false }), ...Object.fromEntries(given) };
}
