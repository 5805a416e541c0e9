import { expect, test, vi } from 'vitest';
import type { MediaItem } from '~/api/schema';
import { groupOf, type Send, type Upload, progressOf, uploadQueue } from './upload-queue';

/** A server that answers when it is told to. */
function server() {
  const sent: { upload: Upload; progress: (loaded: number) => void; answer: (ok: boolean) => void; aborted: boolean }[] = [];
  const send: Send = (upload, progress) => {
    let answer = (_: boolean) => {};
    const done = new Promise<MediaItem>((resolve, reject) => {
      answer = (ok) => (ok ? resolve({ filename: upload.name } as MediaItem) : reject(new Error('refused')));
    });
    const entry = { upload, progress, answer: (ok: boolean) => answer(ok), aborted: false };
    sent.push(entry);
    return {
      done,
      abort: () => {
        entry.aborted = true;
        answer(false);
      },
    };
  };
  return { sent, queue: uploadQueue(send, (error) => ({ message: (error as Error).message, canRetry: true }), 2) };
}

const files = (...names: string[]) => names.map((name) => ({ name, file: new File(['12345'], name) }));
const to = { workspace: 'default', category: '', visibility: 'public' as const, describes: false };
const states = (uploads: readonly Upload[]) => uploads.map((it) => it.state);

test('some are sent at a time, the next when one has ended', async () => {
  const { sent, queue } = server();
  const all = queue.add(files('a', 'b', 'c'), to);
  expect(states(queue.uploads())).toEqual(['sending', 'sending', 'waiting']);
  sent[0]?.answer(true);
  await vi.waitFor(() => expect(states(queue.uploads())).toEqual(['done', 'sending', 'sending']));
  sent[1]?.answer(false);
  sent[2]?.answer(true);
  expect(states(await all)).toEqual(['done', 'failed', 'done']);
  expect(queue.uploads()[1]?.error).toBe('refused');
});

test('what is cancelled makes way, whether it was sent or not', async () => {
  const { sent, queue } = server();
  const all = queue.add(files('a', 'b', 'c', 'd'), to);
  const [a, , c] = queue.uploads();
  queue.cancel(c!.id);
  queue.cancel(a!.id);
  expect(sent[0]?.aborted).toBe(true);
  expect(states(queue.uploads())).toEqual(['cancelled', 'sending', 'cancelled', 'sending']);
  sent[1]?.answer(true);
  sent[2]?.answer(true);
  expect(states(await all)).toEqual(['cancelled', 'done', 'cancelled', 'done']);
});

test('what failed can be tried again', async () => {
  const { sent, queue } = server();
  const all = queue.add(files('a'), to);
  sent[0]?.answer(false);
  await all;
  queue.retry(queue.uploads()[0]!.id);
  expect(states(queue.uploads())).toEqual(['sending']);
  sent[1]?.answer(true);
  await vi.waitFor(() => expect(states(queue.uploads())).toEqual(['done']));
});

test('what is refused beforehand is never sent', async () => {
  const { sent, queue } = server();
  const [file] = files('a');
  const [upload] = await queue.add([{ ...file!, refused: 'too large' }], to);
  expect(upload).toMatchObject({ state: 'failed', error: 'too large', canRetry: false });
  expect(sent).toEqual([]);
  queue.clear();
  expect(queue.uploads()).toEqual([]);
});

test('files are told by what became of them', async () => {
  const { sent, queue } = server();
  void queue.add([...files('a', 'b'), { ...files('c')[0]!, refused: 'too large' }], to);
  const groups = () => queue.uploads().map(groupOf);
  expect(groups()).toEqual(['active', 'active', 'failed']);
  sent[0]?.answer(true);
  sent[1]?.answer(true);
  await vi.waitFor(() => expect(groups()).toEqual(['done', 'done', 'failed']));
  const [first] = queue.uploads();
  queue.setItem(first!.id, { ...first!.item!, existing: 'older' });
  expect(groups()).toEqual(['existing', 'done', 'failed']);
});

test('progress is that of all bytes', () => {
  const { sent, queue } = server();
  void queue.add(files('a', 'b'), to);
  expect(progressOf(queue.uploads())).toBe(0);
  sent[0]?.progress(5);
  expect(progressOf(queue.uploads())).toBe(0.5);
  queue.cancel(queue.uploads()[1]!.id);
  expect(progressOf(queue.uploads())).toBe(1);
});
