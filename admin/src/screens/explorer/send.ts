import { withBase } from '~/base';
import type { ApiCall } from './model';

/** The answer of the public API. */
export interface Answer {
  status: number;
  /** In milliseconds, until all of it was there. */
  took: number;
  /** Of the body, as it was unpacked. */
  bytes: number;
  headers: [string, string][];
  /** The text, or its beginning. */
  body: string;
  /** True if only the beginning of the text is in `body`. */
  isCut: boolean;
  isJson: boolean;
  /** True if it goes on until one stops it. */
  isStream: boolean;
  /** The picture, if it is one. */
  picture?: Blob;
}

/** The number of characters of an answer that are shown: more of them make the page slow. */
const SHOWN_MAX = 200_000;

/**
 * Sends a request as a stranger would: without cookies, with no more than the token. `onPart` receives
 * what is there so far of an answer that goes on and on; it ends when `signal` says so.
 */
export async function send(call: ApiCall, token: string, signal: AbortSignal, onPart?: (answer: Answer) => void): Promise<Answer> {
  const start = performance.now();
  const response = await request(call, token, signal);
  const type = response.headers.get('Content-Type') ?? '';
  const isStream = type.startsWith('text/event-stream');
  const answer = (text: string, bytes: number): Answer => {
    const pretty = indented(text);
    return {
      status: response.status,
      took: Math.round(performance.now() - start),
      bytes,
      headers: [...response.headers],
      body: (pretty ?? text).slice(0, SHOWN_MAX),
      isCut: (pretty ?? text).length > SHOWN_MAX,
      isJson: pretty !== undefined,
      isStream,
    };
  };
  if (isStream) return readStream(response, answer, signal, onPart);
  if (type.startsWith('image/')) {
    const picture = await response.blob();
    return { ...answer('', picture.size), picture };
  }
  const text = await response.text();
  return answer(text, new Blob([text]).size);
}

/** Reads a stream until it ends or is given up; of a long one, the newest part is kept. */
async function readStream(
  response: Response,
  answer: (text: string, bytes: number) => Answer,
  signal: AbortSignal,
  onPart: ((answer: Answer) => void) | undefined,
): Promise<Answer> {
  let text = '';
  let bytes = 0;
  onPart?.(answer(text, bytes));
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      bytes += part.value.length;
      text = (text + decoder.decode(part.value, { stream: true })).slice(-SHOWN_MAX);
      onPart?.(answer(text, bytes));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return answer(text, bytes);
}

/** Returns the answer to a request as a text that is kept whole, or throws it if it is an error. */
export async function fetchText(call: ApiCall, token: string): Promise<{ text: string; type: string }> {
  const response = await request(call, token, AbortSignal.timeout(60_000));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return { text, type: response.headers.get('Content-Type') ?? 'text/plain' };
}

function request(call: ApiCall, token: string, signal: AbortSignal): Promise<Response> {
  const headers = new Headers();
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (call.body !== undefined) headers.set('Content-Type', 'application/json');
  return fetch(withBase(call.path), {
    method: call.method,
    headers,
    credentials: 'omit',
    cache: 'no-store',
    signal,
    ...(call.body !== undefined && { body: call.body }),
  });
}

function indented(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
