/**
 * The events of the server while the page is open (docs/API.md "Admin API › events"): one stream
 * for the page, told on to whoever listens.
 */
import { useEffect, useRef } from 'react';
import { withBase } from '~/base';

export interface ServerEvent {
  /** `content.updated`, `media.uploaded`, `schema.updated`, `problem.found`, `presence`, `reset`… */
  event: string;
  workspace: string | null;
  /** `admin`, `api`, `disk` or `schedule`. */
  source: string;
  user_id?: string;
  user_name?: string;
  data: Record<string, unknown>;
}

type Listener = (event: ServerEvent) => void;
const listeners = new Set<Listener>();
let stream: EventSource | undefined;
let retry: ReturnType<typeof setTimeout> | undefined;

const NAMES = [
  'content.created', 'content.updated', 'content.deleted', 'content.published', 'content.unpublished',
  'content.restored', 'content.purged', 'media.uploaded', 'media.updated', 'media.deleted',
  'media.category_created', 'media.category_renamed', 'media.category_deleted', 'schema.created',
  'schema.updated', 'schema.deleted', 'change.created', 'change.updated', 'change.submitted', 'change.returned', 'change.approved',
  'change.planned', 'change.failed', 'change.published', 'change.closed', 'change.deleted',
  'problem.found', 'problem.solved', 'presence', 'ready', 'reset',
];

/** Begins to listen; again after the session began anew. */
export function openEvents(): void {
  closeEvents();
  const source = new EventSource(withBase('/admin/api/events'), { withCredentials: true });
  stream = source;
  // Not a hook: the stream belongs to the page and outlives its components.
  for (const name of NAMES) source.addEventListener(name, (message) => tell(name, message));
  source.addEventListener('error', () => {
    // The browser reconnects by itself, unless the answer was an error.
    if (source.readyState !== EventSource.CLOSED || stream !== source) return;
    retry = setTimeout(openEvents, 15_000);
  });
}

export function closeEvents(): void {
  clearTimeout(retry);
  stream?.close();
  stream = undefined;
}

function tell(event: string, message: MessageEvent<string>): void {
  let body: Partial<ServerEvent> & Record<string, unknown> = {};
  try {
    body = JSON.parse(message.data);
  } catch {
    // `ready` and `reset` need no body.
  }
  const { workspace = null, source = '', data } = body;
  // `presence` and problems have their values at the top.
  const told = { ...body, event, workspace, source, data: data ?? body } as ServerEvent;
  for (const listener of listeners) listener(told);
}

/** Calls back with every event. Gives what stops it. */
function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back with every event for as long as the component is there. */
export function useServerEvents(listener: Listener): void {
  const latest = useRef(listener);
  useEffect(() => {
    latest.current = listener;
  });
  useEffect(() => onEvent((event) => latest.current(event)), []);
}
