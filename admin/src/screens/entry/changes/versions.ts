/** The values of an entry that a change proposes, beside what is live. */
import type { AdminEntry, EntryDiff } from '~/api/schema';
import { type ContentTypeShape } from '~/api/fields';
import { isPublicStatus } from '~/ui/status';
import { LIVE } from '../view';
import { placeOf, type Values } from '../form/form';

/** Checks whether an entry is what readers get, now or once its time has come. */
export function isPublic(entry: Pick<AdminEntry, 'status'> | undefined): boolean {
  return isPublicStatus(entry?.status);
}

/**
 * Returns true if saving keeps what is public as it is: in a type with drafts, and in a change.
 */
export function isGuarded(type: Pick<ContentTypeShape, 'drafts'>, view: string, entry: Pick<AdminEntry, 'status'> | undefined): boolean {
  return view !== LIVE || (type.drafts === true && isPublic(entry));
}

/** Returns the values from which a proposal was begun: those that it does not change are as it has them. */
export function baseOf(proposed: Values, difference: EntryDiff | undefined): Values {
  const begun = (difference?.fields ?? []).map(({ path, base }) => [placeOf(path).slot, base ?? undefined] as const);
  return { ...proposed, ...Object.fromEntries(begun) };
}
