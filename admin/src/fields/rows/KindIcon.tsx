import {
  IconAlignLeft, IconBox, IconBoxMultiple, IconCalendar, IconCode, IconLink, IconMarkdown, IconPhoto, IconRelationOneToMany, IconStack2,
  IconTypography, type TablerIcon,
} from '@tabler/icons-react';
import type { FieldKind } from '~/api/fields';
import { TypeIcon } from '~/ui/TypeIcon';
import type { RowKind } from './rows';

/** The icons of kinds of fields that tell what a block is about, those that tell most first. */
const TELLING: readonly (readonly [FieldKind, TablerIcon])[] = [
  ['media', IconPhoto], ['repeater', IconBoxMultiple], ['blocks', IconBoxMultiple], ['relation', IconRelationOneToMany], ['url', IconLink],
  ['json', IconCode], ['html', IconCode], ['markdown', IconMarkdown], ['textarea', IconAlignLeft], ['date', IconCalendar],
  ['datetime', IconCalendar], ['text', IconTypography],
];

/** The icon of a kind of rows: its own, else one that goes with its fields. */
export function KindIcon({ kind }: { kind: RowKind }) {
  if (typeof kind.icon === 'string') return <TypeIcon name={kind.icon} />;
  const there = new Set(Object.values(kind.fields).map((it) => it.type));
  const [, Icon] = TELLING.find(([type]) => there.has(type)) ?? ['', IconBox];
  return <Icon size={18} stroke={1.7} aria-hidden />;
}

export function PresetIcon() {
  return <IconStack2 size={18} stroke={1.7} aria-hidden />;
}
