import { withBase } from '~/base';
import { endSession, notePosition, renewSession, requestHeaders, toApiError } from './client';
import { unreachable } from './error';

interface SendFormOptions {
  method?: 'POST' | 'PUT';
  /** Told how many bytes have been sent, of how many. */
  onProgress: (loaded: number, total: number) => void;
  signal: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** Sends a form and returns the body of the answer. `fetch` cannot tell how much of a body has been sent; this can. */
export async function sendForm<T>(path: string, form: FormData, options: SendFormOptions): Promise<T> {
  let { answer, body } = await sendOnce(path, form, options);
  if (answer.status === 419) {
    const refused = await renewSession().catch(() => Promise.reject(unreachable()));
    ({ answer, body } = refused
      ? { answer: refused, body: parseBody(await refused.text()) }
      : await sendOnce(path, form, options));
  }
  if (answer.ok) return body as T;
  const error = await toApiError(body, answer);
  if (error.code === 'unauthenticated') endSession();
  throw error;
}

/** An answer and its body. */
interface FormAnswer {
  answer: Response;
  body: unknown;
}

function sendOnce(path: string, form: FormData, { method = 'POST', onProgress, signal, headers: more }: SendFormOptions): Promise<FormAnswer> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    // Mantine's hooks listen to the page and to elements, not to a request.
    const xhr = new XMLHttpRequest();
    xhr.open(method, withBase(path));
    for (const [name, value] of Object.entries({ ...requestHeaders(), ...more })) xhr.setRequestHeader(name, value);
    xhr.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    xhr.addEventListener('load', () => {
      notePosition(xhr.getResponseHeader('Recto-Position'));
      resolve({ answer: new Response(null, { status: xhr.status || 500 }), body: parseBody(xhr.responseText) });
    });
    xhr.addEventListener('error', () => reject(unreachable()));
    xhr.addEventListener('abort', () => reject(new DOMException('', 'AbortError')));
    signal.addEventListener('abort', () => xhr.abort());
    xhr.send(form);
  });
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
