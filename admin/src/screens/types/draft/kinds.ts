/** The field kinds as the builder offers them: where they stand, and what can be said of each. */
import {
  IconAlignLeft, IconAt, IconBraces, IconBoxMultiple, IconCalendar, IconCalendarClock, IconCode, IconForms, IconHash,
  IconLayoutList, IconLink, IconListDetails, IconMarkdown, IconNumbers, IconPalette, IconPhoto, IconAdjustmentsHorizontal,
  IconRelationOneToMany, IconToggleLeft, IconTypography, type TablerIcon,
} from '@tabler/icons-react';
import type { FieldDefinition, FieldKind, OwnKey } from '~/api/fields';

interface Kind {
  icon: TablerIcon;
  group: KindGroup;
  own: readonly OwnKey[];
}

/** The gallery's headings, in its order. */
export const KIND_GROUPS = ['text', 'choices', 'dates', 'links', 'structure', 'advanced'] as const;
type KindGroup = (typeof KIND_GROUPS)[number];

const TABLE = {
  text: { icon: IconTypography, group: 'text', own: ['placeholder', 'min_length', 'max_length', 'pattern'] },
  textarea: { icon: IconAlignLeft, group: 'text', own: ['placeholder', 'min_length', 'max_length', 'pattern'] },
  markdown: { icon: IconMarkdown, group: 'text', own: ['placeholder', 'min_length', 'max_length', 'pattern'] },
  html: { icon: IconCode, group: 'text', own: ['placeholder', 'min_length', 'max_length', 'pattern'] },
  number: { icon: IconNumbers, group: 'choices', own: ['min', 'max', 'step', 'decimals', 'integer'] },
  range: { icon: IconAdjustmentsHorizontal, group: 'choices', own: ['min', 'max', 'step', 'display_decimals'] },
  boolean: { icon: IconToggleLeft, group: 'choices', own: [] },
  select: { icon: IconListDetails, group: 'choices', own: ['options', 'multiple'] },
  color: { icon: IconPalette, group: 'choices', own: ['alpha'] },
  date: { icon: IconCalendar, group: 'dates', own: ['min', 'max'] },
  datetime: { icon: IconCalendarClock, group: 'dates', own: ['min', 'max'] },
  media: { icon: IconPhoto, group: 'links', own: ['multiple', 'max_files', 'accept', 'alt_field', 'caption_field'] },
  relation: { icon: IconRelationOneToMany, group: 'links', own: ['target', 'multiple', 'max_items', 'on_delete'] },
  url: { icon: IconLink, group: 'links', own: [] },
  email: { icon: IconAt, group: 'links', own: [] },
  object: { icon: IconForms, group: 'structure', own: ['fields'] },
  repeater: { icon: IconLayoutList, group: 'structure', own: ['subfields', 'min_items', 'max_items'] },
  blocks: { icon: IconBoxMultiple, group: 'structure', own: ['blocks', 'presets', 'min_items', 'max_items'] },
  json: { icon: IconBraces, group: 'advanced', own: ['schema'] },
  slug: { icon: IconHash, group: 'advanced', own: ['source'] },
} as const satisfies Readonly<Record<FieldKind, Kind>>;

/** Icon, group and settings of every kind, in the gallery's order; the settings in the order in which they are asked. */
export const KINDS: Readonly<Record<FieldKind, Kind>> = TABLE;
export const FIELD_KINDS = Object.keys(KINDS) as readonly FieldKind[];

/** The kinds that have a setting. */
export type KindWith<S extends OwnKey> = {
  [K in FieldKind]: S extends (typeof TABLE)[K]['own'][number] ? K : never;
}[FieldKind];

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
