import type { FieldDefinition } from '~/api/fields';

/** The surroundings of an input: what it needs to know beside its own value. */
export interface FieldContext {
  workspace: string;
  /** The content type, and the entry (`undefined` while it is new). */
  type: string;
  id: string | undefined;
  /** The locale that is edited; empty when the type is not localized. */
  locale: string;
}

/** The properties of `FieldInput`. */
export interface FieldInputProps {
  /** `title`, `links[2].url`: as the server names it in `error.fields`. Also the input's id, see `fieldId`. */
  path: string;
  /** The field's name, for its label. */
  name: string;
  definition: FieldDefinition;
  value: unknown;
  onChange: (value: unknown) => void;
  context: FieldContext;
  /** All that the server said is wrong, by path; an input shows what is about its own path or below it. */
  errors: Readonly<Record<string, string>>;
  readOnly?: boolean | undefined;
  /** Without label and description: in a cell of a list. */
  bare?: boolean;
  /** For a slug: the value of the field that it is made from. */
  sourceValue?: string | undefined;
}

/** The properties that `FieldInput` gives to the input of a kind. */
export interface InputProps extends FieldInputProps {
  /** The id of what takes the focus. */
  id: string;
  label: string;
  /** The server's message about this very path. */
  error: string | undefined;
}
