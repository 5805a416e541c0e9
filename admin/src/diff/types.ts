import type { FieldDefinition } from '~/api/fields';
import type { FieldContext } from '~/fields/types';

/** A field with its value before and after a change. */
export interface ValueDiffProps {
  definition: FieldDefinition;
  before: unknown;
  after: unknown;
  context: FieldContext;
}
