/** The treatment of each field kind in a list. */
import type { FieldDefinition, FieldKind } from '~/api/fields';
import type { Operator } from '~/api/operators';

interface ListKind {
  /** The operators that make sense, the likeliest first. */
  operators: readonly Operator[];
  /** True if sorting by it means something to a reader. Ids of other entries do not. */
  isSortable?: boolean;
  /** True if a value is small enough to be changed in its cell, or for many entries at once. */
  isInline?: boolean;
  /** True if its column tells entries apart, so that a list begins with it. */
  isTelling?: boolean;
  /** The width of its column; 200 if it is missing. */
  width?: number;
}

const TEXTUAL: readonly Operator[] = ['contains', 'starts', 'eq', 'ne', 'in', 'nin', 'empty'];
const NUMERIC: readonly Operator[] = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'nin', 'empty'];
const TEMPORAL: readonly Operator[] = ['eq', 'gte', 'lte', 'gt', 'lt', 'ne', 'empty'];
export const CHOSEN: readonly Operator[] = ['eq', 'ne', 'in', 'nin', 'empty'];

const LIST_KINDS: Readonly<Record<FieldKind, ListKind>> = {
  text: { operators: TEXTUAL, isSortable: true, isInline: true },
  textarea: { operators: TEXTUAL, isSortable: true, isInline: true },
  markdown: { operators: TEXTUAL, isSortable: true },
  html: { operators: TEXTUAL, isSortable: true },
  number: { operators: NUMERIC, isSortable: true, isInline: true, isTelling: true, width: 120 },
  range: { operators: NUMERIC, isSortable: true, isInline: true, width: 120 },
  boolean: { operators: ['eq'], isSortable: true, isInline: true, isTelling: true, width: 120 },
  select: { operators: CHOSEN, isSortable: true, isInline: true, isTelling: true, width: 150 },
  color: { operators: TEXTUAL, isSortable: true, isInline: true, width: 120 },
  date: { operators: TEMPORAL, isSortable: true, isInline: true, isTelling: true, width: 130 },
  datetime: { operators: TEMPORAL, isSortable: true, isInline: true, isTelling: true, width: 150 },
  media: { operators: ['empty', 'eq'], isTelling: true, width: 110 },
  relation: { operators: CHOSEN, isInline: true, isTelling: true, width: 170 },
  url: { operators: TEXTUAL, isSortable: true, isInline: true },
  email: { operators: TEXTUAL, isSortable: true, isInline: true },
  object: { operators: ['empty'] },
  repeater: { operators: ['empty'] },
  blocks: { operators: ['empty'] },
  json: { operators: ['empty'] },
  slug: { operators: TEXTUAL, isSortable: true, isInline: true },
};

/** A kind that only a schema written by hand can name. */
const UNKNOWN: ListKind = { operators: TEXTUAL, isSortable: true };

export function listKindOf({ type }: FieldDefinition): ListKind {
  return LIST_KINDS[type] ?? UNKNOWN;
}
