/** Changes: what they say of themselves, and what may be done with them. */
import { type ChangeState, isActive } from '~/api/changes/change';
import type { Change, Proposal } from '~/api/schema';
import { formatMoment, type Key, t } from '~/i18n';

/** Returns the name of a change; pending ones are named by whose they are. */
export function changeName(change: Pick<Change, 'label' | 'pending' | 'author_id' | 'author_name'>, me: string): string {
  if (change.label) return change.label;
  if (change.author_id === me || !change.author_id) return t('changes.own');
  return t('changes.ownOf', { name: change.author_name ?? t('changes.somebody') });
}

/** Checks whether a change has a row in the list: the own drafts stand above it, and empty ones of others are nothing to see. */
export function isListed({ pending, author_id, entries }: Pick<Change, 'pending' | 'author_id' | 'entries'>, me: string): boolean {
  return !pending || (author_id !== me && entries.length > 0);
}

/** Counts the approvals that a change still lacks. */
export function missingApprovals({ approvals, approvals_required }: Pick<Change, 'approvals' | 'approvals_required'>): number {
  return Math.max(0, approvals_required - approvals.filter((it) => it.current).length);
}

/** Returns what stands against publishing a change, as sentences; nothing if it can be tried. */
export function obstacles(change: Change): string[] {
  if (!isActive(change)) return [];
  const found: string[] = [];
  const missing = missingApprovals(change);
  if (change.entries.length === 0) found.push(t('changes.cannot.empty'));
  if (!change.may.publish) found.push(t('changes.cannot.publish'));
  if (missing > 0) found.push(t('changes.cannot.approvals', { count: missing }));
  const broken = change.entries.filter((it) => it.problem).length;
  if (broken > 0) found.push(t('changes.cannot.problems', { count: broken }));
  return found;
}

/** Returns the rest of what the caller may not do, and who may. */
export function limits(change: Change): string[] {
  if (!isActive(change)) return [];
  const found: string[] = [];
  if (!change.may.manage) found.push(t('changes.cannot.manage'));
  if (change.state === 'in_review' && !change.may.approve) found.push(t('changes.cannot.approve'));
  return found;
}

/** Returns the plan of a change in words: when it goes live, and when its entries end. */
export function planText({ publish_at, unpublish_at }: Pick<Change, 'publish_at' | 'unpublish_at'>): string | undefined {
  if (publish_at && unpublish_at) {
    return t('changes.plan.both', { from: formatMoment(publish_at), until: formatMoment(unpublish_at) });
  }
  if (publish_at) return t('changes.plan.from', { from: formatMoment(publish_at) });
  return unpublish_at ? t('changes.plan.until', { until: formatMoment(unpublish_at) }) : undefined;
}

/** The messages of a refused publication, by entry. */
export interface Refusals {
  /** By `<type>/<id>`: the messages with the path in the file, empty for the entry as a whole. */
  byEntry: ReadonlyMap<string, readonly { path: string; message: string }[]>;
  /** Those about something else, with what the server calls it. */
  others: readonly { path: string; message: string }[];
}

/** Sorts the messages of a refused publication, `<type>/<id>.<path>`, to the entries of the change. */
export function sortRefusals(fields: Readonly<Record<string, string>>, entries: readonly Pick<Proposal, 'collection' | 'id'>[]): Refusals {
  const byEntry = new Map<string, { path: string; message: string }[]>();
  const others: { path: string; message: string }[] = [];
  for (const [key, message] of Object.entries(fields)) {
    const place = entries.map(placeOf).find((it) => key === it || key.startsWith(`${it}.`));
    if (!place) {
      others.push({ path: key, message });
      continue;
    }
    const said = byEntry.get(place) ?? [];
    said.push({ path: key.slice(place.length + 1), message });
    byEntry.set(place, said);
  }
  return { byEntry, others };
}

/** Returns the name of an entry among others of all types. */
export function placeOf({ collection, id }: Pick<Proposal, 'collection' | 'id'>): string {
  return `${collection}/${id}`;
}

/** Returns the id of the element that shows an entry. */
export function anchorOf({ collection, id }: Pick<Proposal, 'collection' | 'id'>): string {
  return `entry-${collection}-${id}`;
}

/** Returns the key of the text for a state. */
export function stateText(state: ChangeState): Key {
  return `changes.state.${state}`;
}
