/** The columns of a list, their order and widths. */
import type { Preferences } from '~/api/session';
import type { ListField } from '../fields';
import { listKindOf } from '../list-kinds';

/** The columns that a list begins with: what something is, how it stands, a telling field or two. */
export function defaultColumns(fields: readonly ListField[]): string[] {
  const own = fields.filter((it) => !it.system && !it.key.includes('.') && it.key !== 'title' && !it.definition.hidden);
  const telling = own.filter((it) => listKindOf(it.definition).isTelling).slice(0, 2);
  const told = telling.length > 0 ? telling : own.filter((it) => it.definition.type === 'text').slice(0, 1);
  return ['title', 'status', ...told.map((it) => it.key), 'updated_at'];
}

/**
 * The fields to show: those that are chosen and still there. The title always is, since it is the way
 * into the entry.
 */
export function chosenColumns(fields: readonly ListField[], chosen: readonly string[] | undefined): ListField[] {
  const known = new Map(fields.map((it) => [it.key, it]));
  const keys = chosen?.filter((it) => known.has(it)) ?? [];
  const wanted = keys.length > 0 ? keys : defaultColumns(fields);
  const all = wanted.includes('title') ? wanted : ['title', ...wanted];
  return [...new Set(all)].flatMap((key) => known.get(key) ?? []);
}

/** About the width of a letter in a head, of what stands beside its letters, and of the widest head without a cut. */
const LETTER = 8;
const BESIDE = 44;
const HEAD_MAX = 220;

/** Returns the width of a column that nobody has dragged: its head is not cut. The title takes what is left. */
export function defaultWidth({ key, label, definition, system }: ListField): number | undefined {
  if (key === 'title') return undefined;
  if (key === 'status') return 150;
  if (key === 'id') return 170;
  const head = Math.min(label.length * LETTER + BESIDE, HEAD_MAX);
  return Math.max((system ? 140 : listKindOf(definition).width) ?? 200, head);
}

export type ListPreferences = NonNullable<Preferences['lists']>[string];

/** The preferences with those of one list changed. */
export function withListPreferences(preferences: Preferences, list: string, change: ListPreferences): Partial<Preferences> {
  const lists = preferences.lists ?? {};
  return { lists: { ...lists, [list]: { ...lists[list], ...change } } };
}
