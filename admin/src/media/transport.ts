/** Sends one file. `fetch` cannot tell how much of a body has been sent; this can. */
import { asRefusal, headers } from '~/api/client';
import { ApiError } from '~/api/error';
import { queryClient } from '~/api/query';
import type { MediaItem } from '~/api/schema';
import { at } from '~/base';
import type { Send } from './upload-queue';

/** Sends one file to the library of its workspace. */
export const sendFile: Send = (upload, onProgress) => {
  const xhr = new XMLHttpRequest();
  const done = new Promise<MediaItem>((resolve, reject) => {
    xhr.upload.addEventListener('progress', (event) => onProgress(event.loaded));
    xhr.addEventListener('load', () => {
      const body: unknown = parsed(xhr.responseText);
      const [item] = (body as { data?: MediaItem[] } | undefined)?.data ?? [];
      if (xhr.status === 201 && item) {
        resolve(item);
        return;
      }
      // Whoever is not logged in any more is asked to by the next ordinary request.
      if (xhr.status === 401) void queryClient.invalidateQueries({ queryKey: ['me'] });
      reject(new ApiError(xhr.status, asRefusal(body, new Response(null, { status: xhr.status || 500 }))));
    });
    const lost = () => reject(new ApiError(0, { code: 'offline', message: 'The server cannot be reached.' }));
    xhr.addEventListener('error', lost);
    xhr.addEventListener('abort', lost);
  });
  const form = new FormData();
  if (upload.category) form.append('category', upload.category);
  // In the same form as the file: it is never seen by everybody, not even for a moment.
  if (upload.visibility === 'private') form.append('visibility', upload.visibility);
  form.append('media[]', upload.file, upload.name);
  xhr.open('POST', at('/admin/api/media'));
  const given = { ...headers(), 'X-Service-Workspace': upload.workspace };
  for (const [name, value] of Object.entries(given)) xhr.setRequestHeader(name, value);
  xhr.send(form);
  return { done, abort: () => xhr.abort() };
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
