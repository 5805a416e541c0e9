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
  body: string;
  isJson: boolean;
}

/** Sends a request as a stranger would: without cookies, with no more than the token. */
export async function send(call: ApiCall, token: string, signal: AbortSignal): Promise<Answer> {
  const headers = new Headers();
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (call.body !== undefined) headers.set('Content-Type', 'application/json');
  const start = performance.now();
  const response = await fetch(withBase(call.path), {
    method: call.method,
    headers,
    credentials: 'omit',
    cache: 'no-store',
    signal,
    ...(call.body !== undefined && { body: call.body }),
  });
  const text = await response.text();
  const took = performance.now() - start;
  const pretty = indented(text);
  return {
    status: response.status,
    took: Math.round(took),
    bytes: new Blob([text]).size,
    headers: [...response.headers],
    body: pretty ?? text,
    isJson: pretty !== undefined,
  };
}

function indented(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
}
