// The client against a server with the sample content. RECTO_BIN is the program.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { createClient, image, RectoError } from '../dist/index.js';
import { rectoLoader } from '../dist/astro.js';

const program = process.env.RECTO_BIN;
const post = 'the-long-way-to-the-bakery';
let folder, server, url, token;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'recto-client-'));
  const data = join(folder, 'data');
  cpSync(new URL('../../../data-skeleton', import.meta.url), data, { recursive: true });
  const grant = ['--grant', 'content.*@content:*'];
  token = execFileSync(program, ['token', 'create', '--data', data, '--name', 'client', ...grant], {
    encoding: 'utf8',
  }).trim();
  server = spawn(program, ['serve', '--data', data, '--listen', '127.0.0.1:0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  url = await new Promise((resolve, reject) => {
    let said = '';
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)));
    server.stdout.on('data', (chunk) => {
      said += chunk;
      const found = said.match(/http:\/\/[^ /]+:\d+/);
      if (found) resolve(found[0]);
    });
  });
});

after(() => {
  server?.removeAllListeners('exit');
  server?.kill();
  rmSync(folder, { recursive: true, force: true });
});

test('reads entries, lists and what is not there', async () => {
  const recto = createClient({ url: `${url}/` });
  const found = await recto.get('posts', post, { include: ['author'], locale: 'de', fields: ['author'] });
  assert.equal(found.locale, 'de');
  assert.equal(found.data.author.type, 'authors');
  assert.deepEqual(Object.keys(found.data), ['author']);
  assert.equal(await recto.get('posts', 'nothing'), null);
  const { items, total } = await recto.list('posts', { limit: 2, sort: '-date,title' });
  assert.equal(items.length, 2);
  const all = await recto.all('posts');
  assert.equal(all.length, total);
  const some = await recto.all('posts', { filter: { tags: { in: ['recipe', 'tools'] }, date: { gt: '2000-01-01' } } });
  const expected = all.filter((it) => it.data.tags.some((tag) => ['recipe', 'tools'].includes(tag)) && it.data.date);
  assert.deepEqual(some.map((it) => it.id).sort(), expected.map((it) => it.id).sort());
  assert.ok(some.length > 0 && some.length < total);
});

test('tells what is wrong with a request', async () => {
  const recto = createClient({ url });
  await assert.rejects(recto.list('posts', { sort: 'nothing' }), (error) => {
    assert.ok(error instanceof RectoError);
    assert.equal(error.status, 422);
    assert.equal(error.code, 'validation_failed');
    assert.ok(error.fields.sort);
    return true;
  });
  await assert.rejects(createClient({ url, token: 'wrong' }).get('posts', post), { status: 401 });
  await assert.rejects(createClient({ url, workspace: 'none' }).list('posts'), { status: 404 });
});

async function write(method, path, body) {
  const answer = await fetch(`${url}/api/v1/workspaces/default/content/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  assert.ok(answer.ok, `${method} ${path}: ${answer.status}`);
  return (await answer.json()).data;
}

test('brings a copy up to date', async () => {
  const requests = [];
  const counting = (address, init) => {
    requests.push(new URL(address).pathname.split('/').pop());
    return fetch(address, init);
  };
  const recto = createClient({ url, fetch: counting });
  const topics = (copy) => copy.lines.filter((it) => it.type === 'topics' && it.locale === 'en').map((it) => it.id);
  const first = await recto.sync();
  assert.deepEqual(await recto.sync(first), first);
  const made = await write('POST', 'topics', { title: 'Wool', status: 'published' });
  const more = await recto.sync(first);
  assert.deepEqual(topics(more).sort(), [...topics(first), made.id].sort());
  await write('DELETE', `topics/${made.id}`);
  const less = await recto.sync(more);
  assert.deepEqual(topics(less).sort(), topics(first).sort());
  assert.deepEqual(requests, ['bundle', 'sync', 'sync', 'sync']);
  // A cursor of which the server knows nothing: all is loaded again.
  const again = await recto.sync({ cursor: '0'.repeat(32), lines: [] });
  assert.deepEqual(again.lines.length, less.lines.length);
});

test('loads the entries of a type for Astro', async () => {
  const requests = [];
  const counting = (address, init) => {
    requests.push(new URL(address).pathname.split('/').pop());
    return fetch(address, init);
  };
  const kept = new Map();
  const noted = new Map();
  const context = {
    store: {
      clear: () => kept.clear(),
      set: (entry) => Boolean(kept.set(entry.id, entry)),
      delete: (id) => kept.delete(id),
      keys: () => [...kept.keys()],
    },
    meta: { get: (key) => noted.get(key), set: (key, value) => noted.set(key, value) },
    parseData: async ({ data }) => data,
  };
  const loader = rectoLoader({ url, type: 'topics', locale: 'en', fetch: counting });
  await loader.load(context);
  const before = kept.size;
  assert.ok(before > 0);
  const made = await write('POST', 'topics', { title: 'Felt', status: 'published' });
  await loader.load(context);
  assert.equal(kept.size, before + 1);
  assert.equal(kept.get(made.id).data.title, 'Felt');
  await write('DELETE', `topics/${made.id}`);
  await loader.load(context);
  assert.equal(kept.has(made.id), false);
  assert.deepEqual(requests, ['bundle', 'sync', 'sync']);
});

test('reads pictures with their sizes', async () => {
  const { data } = await createClient({ url }).get('posts', post, { media: 'full', fields: ['hero'] });
  const attributes = image(data.hero[0], '40rem');
  assert.match(attributes.srcset, / \d+w, .+ \d+w$/);
  assert.ok(attributes.width > 0 && attributes.height > 0);
});

test('makes the attributes of pictures', () => {
  const whole = { url: '/a.jpg', srcset: '/a.jpg?w=64 64w', width: 80, height: 60, alt: 'A' };
  assert.deepEqual(image(whole, '50vw'), {
    src: '/a.jpg',
    srcset: '/a.jpg?w=64 64w',
    sizes: '50vw',
    width: 80,
    height: 60,
    alt: 'A',
    loading: 'lazy',
  });
  assert.deepEqual(image({ url: '/a.svg' }), { src: '/a.svg', alt: '', loading: 'lazy' });
});

test('is small', () => {
  const entry = fileURLToPath(new URL('../dist/index.js', import.meta.url));
  const built = buildSync({ entryPoints: [entry], bundle: true, minify: true, format: 'esm', write: false });
  const bytes = brotliCompressSync(built.outputFiles[0].contents).length;
  assert.ok(bytes <= 4096, `${bytes} bytes`);
});
