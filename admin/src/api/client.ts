import createClient from 'openapi-fetch';
import { BASE } from '~/base';
import { t } from '~/i18n';
import { serverMessages } from '~/i18n/translation';
import { takeEarly } from './early';
import { ApiError, type Refusal, sessionExpired, unreachable } from './error';
import type { paths } from './schema';

/** The values that every request carries, kept here since they are the same for the whole page. */
const context = { workspace: '', user: '', csrf: '', position: 0 };

/** The workspace that requests are about from now on. */
export function setWorkspace(slug: string): void {
  context.workspace = slug;
}

export function currentWorkspace(): string {
  return context.workspace;
}

/** The token that proves that a change comes from this page, and the id of the user whose session it is of. */
export function setCsrf(token: string, user = context.user): void {
  context.csrf = token;
  context.user = user;
}

/** Returns true if this is the id of another user than that of this page. */
export function isOtherUser(user: string): boolean {
  return context.user !== '' && context.user !== user;
}

/**
 * Remembers the newest commit that an answer knew of. Servers that share a database answer requests that
 * name it once they know it, too, so that no page shows what was there before its own change.
 */
export function notePosition(position: string | null): void {
  context.position = Math.max(context.position, Number(position) || 0);
}

type Listener = () => void;
const sessionEnded = new Set<Listener>();
const reachable = new Set<(yes: boolean) => void>();

/** Calls back when the server says that nobody is logged in any more. Gives what stops it. */
export function onSessionEnded(listener: Listener): Listener {
  sessionEnded.add(listener);
  return () => sessionEnded.delete(listener);
}

/** Tells the page that nobody is logged in any more, as far as it goes. */
export function endSession(): void {
  for (const tell of sessionEnded) tell();
}

/** Calls back with whether the server answers. Gives what stops it. */
export function onReachable(listener: (yes: boolean) => void): Listener {
  reachable.add(listener);
  return () => reachable.delete(listener);
}

/** The headers of a request about the current workspace. */
export function requestHeaders(): Record<string, string> {
  return {
    ...(context.workspace && { 'X-Service-Workspace': context.workspace }),
    ...(context.csrf && { 'X-CSRF-Token': context.csrf }),
    ...(context.position > 0 && { 'Recto-After': `${context.position}` }),
  };
}

async function send(input: Request): Promise<Response> {
  const request = new Request(input);
  for (const [name, value] of Object.entries(requestHeaders())) {
    if (!request.headers.has(name)) request.headers.set(name, value);
  }
  const isRead = request.method === 'GET';
  const body = isRead ? new ArrayBuffer(0) : await request.arrayBuffer();
  // Of bytes, not of a stream: so it can be sent once more, by the browser, too.
  const build = () => (body.byteLength === 0 ? request : new Request(request, { method: request.method, body }));
  let response: Response;
  try {
    response = await (takeEarly(request) ?? fetch(build()));
    if (!isRead && response.status === 419) response = await sendAnew(build());
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    for (const tell of reachable) tell(false);
    throw unreachable();
  }
  for (const tell of reachable) tell(true);
  notePosition(response.headers.get('Recto-Position'));
  const csrf = response.headers.get('X-CSRF-Token');
  // What is only read may be answered to somebody else, who has logged in in another tab.
  if (csrf && !isRead) setCsrf(csrf);
  if (response.status === 401 && (await refusal(response.clone())).code === 'unauthenticated') {
    endSession();
  }
  if (response.status === 403 && (await refusal(response.clone())).code === 'second_factor_missing') {
    // The role requires a second factor by now. Nothing else can be done before.
    location.assign(`${BASE}/admin/second-factor`);
  }
  return response;
}

/** Sends a change once more that was refused because another login has replaced the session of this page. */
async function sendAnew(request: Request): Promise<Response> {
  const refused = await renewSession();
  if (refused) return refused;
  request.headers.set('X-CSRF-Token', context.csrf);
  return await fetch(request);
}

/**
 * Takes over the session that has replaced that of this page. Gives the refusal if there is none, or it is of
 * anybody but the user of this page, for whom that is the end of the session.
 */
export async function renewSession(): Promise<Response | undefined> {
  const answer = await fetch(`${BASE}/admin/api/me`);
  // That it cannot be told is no end of the session.
  if (!answer.ok && answer.status !== 401) return answer;
  const me = (await answer.json().catch(() => undefined))?.data;
  if (!answer.ok || me?.id !== context.user) {
    return Response.json({ error: sessionExpired() }, { status: 401 });
  }
  setCsrf(me.csrf_token);
  return undefined;
}

/**
 * The admin API with the types of the server's own description of it. Paths are those of the
 * description; give the answer to {@link call}.
 */
export const api = createClient<paths>({ baseUrl: BASE, fetch: send });

/** The body of an answer; throws {@link ApiError} when the server refused. */
export async function call<T>(
  answer: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<NonNullable<T>> {
  const { data, error, response } = await answer;
  if (error !== undefined || !response.ok) {
    throw await toApiError(error, response);
  }
  return data as NonNullable<T>;
}

/**
 * A request whose query the description cannot type (filters), or whose body is a form.
 * `path` begins with `/admin/api/`; the answer is its whole JSON body.
 */
export async function request<T>(
  path: string,
  init: RequestInit & { query?: URLSearchParams | undefined; json?: unknown } = {},
): Promise<T> {
  const { query, json, ...rest } = init;
  const search = query && [...query].length > 0 ? `?${query}` : '';
  const given = new Headers(rest.headers);
  if (json !== undefined) given.set('Content-Type', 'application/json');
  const response = await send(
    new Request(new URL(`${BASE}${path}${search}`, location.href), {
      ...rest,
      headers: given,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    }),
  );
  if (!response.ok) throw await toApiError(await response.json().catch(() => undefined), response);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

async function refusal(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => undefined);
  return parseRefusal(body, response);
}

/** The error of an answer with this body, in the language of the interface. */
export async function toApiError(body: unknown, response: Response): Promise<ApiError> {
  const refusal = parseRefusal(body, response);
  return new ApiError(response.status, (await serverMessages())?.refusal(refusal) ?? refusal);
}

/** The refusal in an answer, also in one that is not the server's own (a proxy's, say). */
function parseRefusal(body: unknown, response: Response): Refusal {
  const error = (body as { error?: Refusal } | undefined)?.error;
  const after = Number(response.headers.get('Retry-After'));
  const retry_after = after > 0 ? after : undefined;
  const request_id = response.headers.get('X-Request-Id') ?? undefined;
  if (error?.code) return { retry_after, request_id, ...error };
  const message = `${t('general.failed')} (${response.status}).`;
  return { code: 'unexpected', message, retry_after, request_id };
}
