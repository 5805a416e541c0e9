/** Long texts that two people changed at once can be kept both, one below the other. */
import type { FieldDefinition } from '~/api/fields';

/** Checks whether both texts can stand in one field. */
export function canKeepBoth({ type }: FieldDefinition, theirs: unknown, mine: unknown): boolean {
  return (type === 'textarea' || type === 'markdown') && isText(theirs) && isText(mine);
}

/** Their text, a blank line, and mine. */
export function joinTexts(theirs: unknown, mine: unknown): string {
  return [theirs, mine].filter(isText).map((it) => it.replace(/^\n+|\s+$/g, '')).join('\n\n');
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
