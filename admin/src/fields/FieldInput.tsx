import type { FieldDefinition } from '~/api/fields';

/** Where an input stands: what it needs to know beside its own value. */
export interface FieldContext {
  workspace: string;
  /** The content type, and the entry (`undefined` while it is new). */
  type: string;
  id: string | undefined;
  /** The locale that is edited; empty when the type is not localized. */
  locale: string;
}

export interface FieldInputProps {
  /** `title`, `links[2].url`: as the server names it in `error.fields`. Also the input's id, see {@link fieldId}. */
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
}

/** The id of the element that gets the focus for a path. */
export function fieldId(path: string): string {
  return `field-${path.replaceAll(/[^A-Za-z0-9_-]+/g, '-')}`;
}

/** The input for a field, of whichever of the twenty kinds it is. */
export function FieldInput(_: FieldInputProps) {
  return null;
}

/** A value in short, to be read: in a list, in a comparison. */
export function FieldValue(_: { definition: FieldDefinition; value: unknown; context: FieldContext }) {
  return null;
}
