/** The files on their way to the server: some at a time, each with a progress and an end of its own. */
import type { MediaItem } from '~/api/schema';

/** The visibility of a file: for everybody, or for those who may read private ones. */
export type Visibility = 'public' | 'private';

/** The states of an upload. */
type UploadState = 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';

/** A file on its way, as it is at one moment. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly name: string;
  readonly size: number;
  readonly workspace: string;
  readonly category: string;
  readonly visibility: Visibility;
  readonly state: UploadState;
  /** Bytes that have been sent. */
  readonly loaded: number;
  /** The reason of a failure, as a sentence. */
  readonly error?: string | undefined;
  /** True if the same file may well arrive the next time. */
  readonly canRetry: boolean;
  /** Takes the file that had the same bytes before, in the place of this one. */
  readonly onInstead?: OnInstead | undefined;
  /** True if the list of uploads asks for the alt text of pictures; elsewhere the place asks that they are for. */
  readonly describes: boolean;
  /** The file that the server made of it. */
  readonly item?: UploadedItem | undefined;
}

/** A file that was uploaded. */
export interface UploadedItem extends MediaItem {
  /** The name of the file that had the same bytes before. */
  existing?: string | undefined;
}

/** Puts the file that was there before in the place of a copy of it. */
export type OnInstead = (copy: string, existing: MediaItem) => void;

/** The reason of a failure. */
export interface FailureReason {
  message: string;
  canRetry: boolean;
}

/** The values that are the same for all files that are added at once. */
export type Destination = Pick<Upload, 'workspace' | 'category' | 'visibility' | 'onInstead' | 'describes'>;

/** Sends one file; `abort` makes `done` fail. */
export type Send = (
  upload: Upload,
  onProgress: (loaded: number) => void,
) => { done: Promise<UploadedItem>; abort: () => void };

/** Uploads that wait for each other, and what can be done to them. */
interface UploadQueue {
  subscribe: (listener: () => void) => () => void;
  /** All that are known, in the order in which they were added; a new array whenever one changes. */
  uploads: () => readonly Upload[];
  /** Adds files and tells what became of them once each has come to its first end. */
  add: (files: readonly NamedFile[], to: Destination) => Promise<readonly Upload[]>;
  cancel: (id: number) => void;
  retry: (id: number) => void;
  /** Says anew what the server has of a file that arrived. */
  setItem: (id: number, item: UploadedItem) => void;
  /** Forgets what is over. */
  clear: (ids?: readonly number[]) => void;
}

/** A file under the name that it is to have. */
export interface NamedFile {
  file: File;
  name: string;
  /** The reason for which it is not even sent. */
  refused?: string | undefined;
}

/** Checks whether an upload still has something before it. */
export function isActive({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending';
}

/** The groups of uploads, in the order in which they are told. */
export const GROUPS = ['failed', 'existing', 'active', 'done'] as const;
/** One of them. */
export type Group = (typeof GROUPS)[number];

/** Returns the group of an upload: what did not arrive, what was there before, what is on its way, and the rest. */
export function groupOf(upload: Upload): Group {
  if (isActive(upload)) return 'active';
  if (upload.state !== 'done') return 'failed';
  return upload.item?.existing === undefined ? 'done' : 'existing';
}

/** Returns the share of all files that has been sent, from 0 to 1. Empty files count as one byte. */
export function progressOf(uploads: readonly Upload[]): number {
  const counted = uploads.filter((it) => it.state !== 'cancelled');
  const size = (it: Upload) => Math.max(1, it.size);
  const total = counted.reduce((sum, it) => sum + size(it), 0);
  const sent = counted.reduce(
    (sum, it) => sum + (isActive(it) ? Math.min(size(it), it.loaded) : size(it)),
    0,
  );
  return total === 0 ? 1 : sent / total;
}

/** A queue that sends a few files at a time. */
export function uploadQueue(send: Send, reasonOf: (error: unknown) => FailureReason, parallel = 3): UploadQueue {
  let all: readonly Upload[] = [];
  let last = 0;
  const listeners = new Set<() => void>();
  const aborts = new Map<number, () => void>();
  const ends = new Map<number, (upload: Upload) => void>();

  function change(id: number, part: Partial<Upload>): void {
    all = all.map((it) => (it.id === id ? { ...it, ...part } : it));
    for (const tell of listeners) tell();
  }

  function end(id: number, part: Partial<Upload>): void {
    aborts.delete(id);
    change(id, part);
    const upload = all.find((it) => it.id === id);
    if (upload) ends.get(id)?.(upload);
    ends.delete(id);
    next();
  }

  function next(): void {
    while (aborts.size < parallel) {
      const upload = all.find((it) => it.state === 'waiting');
      if (!upload) return;
      start(upload);
    }
  }

  function start(upload: Upload): void {
    const { id } = upload;
    const sent = send(upload, (loaded) => aborts.has(id) && change(id, { loaded }));
    aborts.set(id, sent.abort);
    change(id, { state: 'sending', loaded: 0 });
    sent.done.then(
      (item) => aborts.has(id) && end(id, { state: 'done', item, loaded: upload.size }),
      (error) => {
        if (!aborts.has(id)) return;
        const { message, canRetry } = reasonOf(error);
        end(id, { state: 'failed', error: message, canRetry });
      },
    );
  }

  return {
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    uploads: () => all,
    add: async (files, to) => {
      const added = files.map(({ file, name, refused }): Upload => {
        last += 1;
        const state = refused === undefined ? 'waiting' : 'failed';
        return { id: last, file, name, size: file.size, ...to, state, loaded: 0, error: refused, canRetry: refused === undefined };
      });
      all = [...all, ...added];
      const over = added.map((it) =>
        isActive(it) ? new Promise<Upload>((resolve) => ends.set(it.id, resolve)) : it,
      );
      for (const tell of listeners) tell();
      next();
      return Promise.all(over);
    },
    cancel: (id) => {
      const upload = all.find((it) => it.id === id);
      if (!upload || !isActive(upload)) return;
      const abort = aborts.get(id);
      end(id, { state: 'cancelled' });
      abort?.();
    },
    retry: (id) => {
      const upload = all.find((it) => it.id === id);
      if (!upload || (upload.state !== 'failed' && upload.state !== 'cancelled')) return;
      change(id, { state: 'waiting', loaded: 0, error: undefined });
      next();
    },
    setItem: (id, item) => change(id, { item }),
    clear: (ids) => {
      all = all.filter((it) => isActive(it) || (ids !== undefined && !ids.includes(it.id)));
      for (const tell of listeners) tell();
    },
  };
}
