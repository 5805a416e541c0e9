/** The twenty field kinds as the builder offers them: where they stand, and what can be said of each. */
import {
  IconAlignLeft, IconAt, IconBraces, IconBoxMultiple, IconCalendar, IconCalendarClock, IconCode, IconForms, IconHash,
  IconLayoutList, IconLink, IconListDetails, IconMarkdown, IconNumbers, IconPalette, IconPhoto, IconAdjustmentsHorizontal,
  IconRelationOneToMany, IconToggleLeft, IconTypography, type TablerIcon,
} from '@tabler/icons-react';
import type { FieldDefinition, FieldKind, OwnKey } from '~/api/fields';

interface Kind {
  icon: TablerIcon;
  own: readonly OwnKey[];
}

const TEXT = ['placeholder', 'min_length', 'max_length', 'pattern'] as const satisfies readonly OwnKey[];

const TABLE = {
  text: { icon: IconTypography, own: TEXT },
  textarea: { icon: IconAlignLeft, own: TEXT },
  markdown: { icon: IconMarkdown, own: TEXT },
  html: { icon: IconCode, own: TEXT },
  number: { icon: IconNumbers, own: ['min', 'max', 'step', 'decimals', 'integer'] },
  range: { icon: IconAdjustmentsHorizontal, own: ['min', 'max', 'step', 'display_decimals'] },
  boolean: { icon: IconToggleLeft, own: [] },
  select: { icon: IconListDetails, own: ['options', 'multiple'] },
  date: { icon: IconCalendar, own: ['min', 'max'] },
  datetime: { icon: IconCalendarClock, own: ['min', 'max'] },
  media: { icon: IconPhoto, own: ['multiple', 'max_files', 'accept'] },
  slug: { icon: IconHash, own: ['source'] },
  json: { icon: IconBraces, own: ['schema'] },
  relation: { icon: IconRelationOneToMany, own: ['target', 'multiple', 'max_items', 'on_delete'] },
  repeater: { icon: IconLayoutList, own: ['subfields', 'min_items', 'max_items'] },
  color: { icon: IconPalette, own: ['alpha'] },
  email: { icon: IconAt, own: [] },
  url: { icon: IconLink, own: [] },
  object: { icon: IconForms, own: ['fields'] },
  blocks: { icon: IconBoxMultiple, own: ['blocks', 'min_items', 'max_items'] },
} as const satisfies Readonly<Record<FieldKind, Kind>>;

/** Icon and settings of every kind; the settings in the order in which they are asked. */
export const KINDS: Readonly<Record<FieldKind, Kind>> = TABLE;

/** The kinds that have a setting. */
export type KindWith<S extends OwnKey> = {
  [K in FieldKind]: S extends (typeof TABLE)[K]['own'][number] ? K : never;
}[FieldKind];

/** The gallery's order. */
export const KIND_GROUPS = [
  { key: 'text', kinds: ['text', 'textarea', 'markdown', 'html'] },
  { key: 'choices', kinds: ['number', 'range', 'boolean', 'select', 'color'] },
  { key: 'dates', kinds: ['date', 'datetime'] },
  { key: 'links', kinds: ['media', 'relation', 'url', 'email'] },
  { key: 'structure', kinds: ['object', 'repeater', 'blocks'] },
  { key: 'advanced', kinds: ['json', 'slug'] },
] as const satisfies readonly { key: string; kinds: readonly FieldKind[] }[];

/** Kinds that hold fields of their own. */
export function isNested(kind: FieldKind): boolean {
  return kind === 'repeater' || kind === 'object' || kind === 'blocks';
}

const OWN_KEYS = new Set<string>(Object.values(KINDS).flatMap((kind) => kind.own));

/**
 * The definition of a field that becomes one of another kind: what the new kind does not know goes,
 * what holds for every kind stays, and so does what the server does not know either.
 */
export function withKind(definition: FieldDefinition, kind: FieldKind): FieldDefinition {
  const known: readonly string[] = KINDS[kind].own;
  const kept = Object.entries(definition).filter(
    ([key]) => key !== 'default' && (!OWN_KEYS.has(key) || known.includes(key)),
  );
  // A bound is a number for the one and a day for the other.
  const bounds = KINDS[definition.type].own.includes('min') && definition.type !== kind ? ['min', 'max'] : [];
  return { ...Object.fromEntries(kept.filter(([key]) => !bounds.includes(key))), type: kind };
}
