import { expect, it } from 'vitest';
import { changeLatest } from './change-latest';
import { ApiError } from './error';

/** Something on a server, of which this page has read an earlier version. */
function stored(names: string[]) {
  const server = { names, version: 1 };
  let cache = { ...server };
  const read = async (anew: boolean) => {
    if (anew) cache = { ...server };
    return cache;
  };
  const add = (name: string) => async (known: typeof server) => {
    if (known.version !== server.version) throw new ApiError(412, { code: 'precondition_failed', message: 'Changed.' });
    server.names = [...known.names, name];
    server.version += 1;
    cache = { ...server };
    return server.names;
  };
  return { server, read, add };
}

it('keeps what another tab has saved in the meantime', async () => {
  const { server, read, add } = stored(['a']);
  expect(await changeLatest(read, add('b'))).toEqual(['a', 'b']);
  server.names = ['b', 'c'];
  server.version += 1;
  expect(await changeLatest(read, add('d'))).toEqual(['b', 'c', 'd']);
});

it('gives up in the end, and at once when it is refused for another reason', async () => {
  const { server, read, add } = stored([]);
  server.version = Number.NaN;
  await expect(changeLatest(read, add('a'))).rejects.toThrow('Changed.');
  let asked = 0;
  const refuse = () => {
    asked += 1;
    throw new ApiError(413, { code: 'payload_too_large', message: 'Too many.' });
  };
  await expect(changeLatest(read, async () => refuse())).rejects.toThrow('Too many.');
  expect(asked).toBe(1);
});
