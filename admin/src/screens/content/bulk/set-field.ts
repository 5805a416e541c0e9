/** The values that can be set in many entries at once, and their consequences. */
import type { AdminEntry } from '~/api/schema';
import { isEmpty } from '~/fields/shape';
import { effectiveStatus, hasEnded, isPublicStatus } from '~/ui/status';
import type { ListField } from '../fields';

/** Checks whether a field may have no value; a translation may be removed from any text. */
export function isClearable({ key, definition }: ListField, isTranslation: boolean): boolean {
  if (key === 'status' || definition.type === 'boolean' || definition.type === 'range') return false;
  return !definition.required || (isTranslation && definition.localized !== false);
}

/** Returns the value that an untouched input shows. Most show none. */
export function shownValue({ definition }: ListField): unknown {
  if (definition.type === 'boolean') return false;
  if (definition.type === 'range') return typeof definition.default === 'number' ? definition.default : Number(definition.min ?? 0);
  return null;
}

/** Checks whether a value can be set: no value only if that was asked for. */
export function isSettable(field: ListField | undefined, value: unknown, clears: boolean): field is ListField {
  return field !== undefined && (clears || !isEmpty(value));
}

/** Checks whether entries that get a value disappear from what everybody can read. */
export function hides({ key }: ListField, value: unknown): boolean {
  return key === 'status' && !isEmpty(value) && !isPublicStatus(value);
}

type Head = Pick<AdminEntry, 'id' | 'status' | 'published_at' | 'unpublish_at'>;

/** Returns how many entries everybody can read now; nothing if not all of them are known. */
export function countPublic(ids: readonly string[], rows: readonly Head[], now = new Date()): number | undefined {
  const known = new Map(rows.map((it) => [it.id, it]));
  const heads = ids.flatMap((id) => known.get(id) ?? []);
  return heads.length === ids.length ? heads.filter((it) => isPublicNow(it, now)).length : undefined;
}

function isPublicNow(entry: Head, now: Date): boolean {
  return effectiveStatus(entry, now) === 'published' && !hasEnded(entry.unpublish_at, now);
}
