/** Texts about one entry of a type: with the word for it where the type has one, neutral ones else. */
import { type Key, language, type Params, t } from './index';

/** The keys that have a variant with the word, below `.named`. */
type SingularKey = Extract<Key, `${string}.named`> extends `${infer Base}.named` ? Extract<Base, Key> : never;

interface Type {
  label: string;
  label_singular?: string | undefined;
}

/**
 * The text of a key about one entry of a type. `{singular}` is the word as it stands within a
 * sentence, `{Singular}` as it begins one, `{type}` the label of the type.
 */
export function tSingular(key: SingularKey, type: Type | undefined, params: Params = {}): string {
  const given = { type: type?.label ?? '', ...params };
  const singular = type?.label_singular;
  if (!singular) return t(key, given);
  return t(`${key}.named`, { ...given, singular, Singular: capitalize(singular) });
}

/** A text with its first letter in upper case. */
export function capitalize(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 32).trim();
  return first.toLocaleUpperCase(language()) + text.slice(first.length);
}
