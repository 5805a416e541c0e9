import type { FieldDefinition } from '~/api/fields';
import type { FieldContext } from '~/fields/FieldInput';

export interface ValueDiffProps {
  definition: FieldDefinition;
  before: unknown;
  after: unknown;
  context: FieldContext;
}

/** What changed in one field: words of a text, lines of markdown, items of a list, pictures. */
export function ValueDiff(_: ValueDiffProps) {
  return null;
}
