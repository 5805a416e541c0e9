import { useEffect, useRef, useState } from 'react';
import { type ServerEvent, useServerEvents } from '~/api/events';
import type { AdminEntry } from '~/api/schema';
import { queryKeys } from '~/api/keys';
import { queryClient } from '~/api/query';
import { useMe } from '~/api/session';
import { type Shape, threeWayMerge, valuesOf } from '../form/form';
import { type EntryForm, type FormState, isBroken, isKeepable, useFormState } from '../form/store';

/** The maker of a version. */
export interface Maker {
  /** Their name; nothing when it was not told. */
  name: string | undefined;
  /** True if somebody edited the file itself. */
  disk: boolean;
}

/** A version of the server's that others made while something is being changed here. */
export interface Theirs extends Maker {
  entry: AdminEntry;
}

interface Versions {
  theirs: Theirs | undefined;
  /** The user who last changed the entry, as far as it was seen. */
  maker: Maker;
  /** True if the entry was deleted while it was open. */
  gone: boolean;
  setGone: (gone: boolean) => void;
  dismiss: () => void;
}

interface Followed {
  workspace: string;
  shape: Shape;
  form: EntryForm;
  /** The newest version of the server's that is known. */
  latest: AdminEntry | undefined;
  /** The time of that reading, in milliseconds. */
  latestAt: number;
  /** Called when the form has followed a change of others. */
  onFollowed: (maker: Maker) => void;
}

/**
 * Follows what becomes of the entry elsewhere. As long as nothing is changed here, what is shown
 * follows silently; otherwise it is told, and nothing is taken away from under anybody's hands.
 */
export function useServerVersion({ workspace, shape, form, latest, latestAt, onFollowed }: Followed): Versions {
  const me = useMe();
  const [maker, setMaker] = useState<Maker>({ name: undefined, disk: false });
  const [gone, setGone] = useState(false);
  const [dismissed, setDismissed] = useState<string>();
  useServerEvents((told) => {
    if (told.event.startsWith('problem.') && isOfFile(told, shape.name, form.state().entry?.id)) {
      void queryClient.invalidateQueries({ queryKey: queryKeys.entries(workspace, shape.name) });
    }
    if (!isAbout(told, workspace, shape.name, form.state().entry?.id)) return;
    if (told.event === 'content.deleted' || told.event === 'content.purged') setGone(true);
    if (told.event === 'content.restored' || told.event === 'content.created') setGone(false);
    const disk = told.source === 'disk';
    if (disk || told.user_id !== me.id) setMaker({ name: told.user_name, disk });
  });
  const standing = useFormState(form, (state) => standingOf(shape, state, latest, latestAt));
  const follow = useRef(() => {});
  useEffect(() => {
    follow.current = () => {
      if (!latest) return;
      const { base, values } = form.state();
      const { values: merged, taken } = threeWayMerge(base, values, valuesOf(shape, latest));
      form.rebase(latest, merged);
      if (taken.length > 0) onFollowed(maker);
    };
  });
  useEffect(() => {
    if (standing === 'behind') follow.current();
  }, [standing]);
  const theirs = standing === 'apart' && latest && latest.etag !== dismissed ? { entry: latest, ...maker } : undefined;
  return { theirs, maker, gone, setGone, dismiss: () => setDismissed(latest?.etag) };
}

/**
 * Compares the form with the newest version of the server's: at it, behind it with nothing to lose,
 * or apart from it with changes on both sides.
 */
function standingOf(shape: Shape, state: FormState, latest: AdminEntry | undefined, latestAt: number): 'even' | 'behind' | 'apart' {
  const { entry, entryAt, base, values, saving } = state;
  if (!latest || !entry || latest.id !== entry.id) return 'even';
  // A file that was damaged, or mended, shows the same version as before.
  if (latest.etag === entry.etag) return isBroken(latest) === isBroken(entry) || latestAt < entryAt ? 'even' : 'behind';
  // One's own save brings its own version, before the query that it is put into has told of it.
  if (saving || latestAt < entryAt) return 'even';
  if (!isKeepable(state)) return 'behind';
  const { taken, conflicts } = threeWayMerge(base, values, valuesOf(shape, latest));
  return taken.length === 0 && conflicts.length === 0 ? 'behind' : 'apart';
}

function isOfFile({ data }: ServerEvent, type: string, id: string | undefined): boolean {
  return typeof data.path !== 'string' || data.path.endsWith(`/content/${type}/${id}.json`);
}

function isAbout(told: ServerEvent, workspace: string, type: string, id: string | undefined): boolean {
  return told.event.startsWith('content.') && told.workspace === workspace && told.data.type === type && told.data.id === id;
}
