// The client against a server with the sample content. RECTO_BIN is the program.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { createClient, image, RectoError, resolveLinks } from '../dist/index.js';
import { rectoLoader, rectoLoaders } from '../dist/astro.js';
import { rectoData } from '../dist/eleventy.js';
import { getContent, withRecto } from '../dist/next.js';

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

/** A `fetch` that notes the last part of each path. */
function countingFetch() {
  const requests = [];
  const send = globalThis.fetch;
  const counting = (address, init) => {
    requests.push(new URL(address).pathname.split('/').pop());
    return send(address, init);
  };
  return { requests, counting };
}

test('brings a copy up to date', async () => {
  const { requests, counting } = countingFetch();
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

/** A collection of Astro: what a loader is given, and what it kept. */
function astroCollection() {
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
    renderMarkdown: async (text) => ({ html: `<p>${text}</p>` }),
  };
  return { kept, noted, context };
}

test('loads the entries of a type for Astro', async () => {
  const { requests, counting } = countingFetch();
  const { kept, context } = astroCollection();
  const loader = rectoLoader({ url, type: 'topics', locale: 'en', markdown: 'description', fetch: counting });
  await loader.load(context);
  const before = kept.size;
  assert.ok(before > 0);
  const made = await write('POST', 'topics', { title: 'Felt', status: 'published', data: { description: 'Wet wool.' } });
  await loader.load(context);
  assert.equal(kept.size, before + 1);
  assert.equal(kept.get(made.id).data.title, 'Felt');
  assert.deepEqual(kept.get(made.id).rendered, { html: '<p>Wet wool.</p>' });
  await write('DELETE', `topics/${made.id}`);
  await loader.load(context);
  assert.equal(kept.has(made.id), false);
  assert.deepEqual(requests, ['bundle', 'sync', 'sync']);
});

test('loads several collections for Astro with one request', async () => {
  const { requests, counting } = countingFetch();
  const types = ['posts', 'topics', 'authors'];
  const recto = rectoLoaders({ url, types, fetch: counting });
  const collections = types.map((type) => ({ type, ...astroCollection(), loader: recto(type) }));
  const build = () => Promise.all(collections.map(({ loader, context }) => loader.load(context)));
  await build();
  await build();
  // A server that is asked again while developing has something new to say.
  const made = await write('POST', 'topics', { title: 'Felt', status: 'published' });
  await build();
  assert.equal(collections[1].kept.get(`en/${made.id}`).data.title, 'Felt');
  await write('DELETE', `topics/${made.id}`);
  await build();
  assert.deepEqual(requests, ['bundle', 'sync', 'sync', 'sync']);
  for (const { type, kept } of collections) {
    assert.ok(kept.size > 0);
    for (const { data } of kept.values()) assert.equal(data.type, type);
  }
  // A collection whose cursor the server does not know begins again, and the others do not.
  collections[0].noted.set('cursor', '0'.repeat(32));
  await build();
  assert.deepEqual(requests.slice(4).sort(), ['bundle', 'sync', 'sync']);
});

test('gives Eleventy its data, and keeps a copy between builds', async () => {
  const { requests, counting } = countingFetch();
  const file = join(folder, 'cache/eleventy.json');
  const types = ['posts', 'topics', 'authors'];
  const load = rectoData({ url, types, file, fetch: counting });
  const first = await load();
  assert.deepEqual(Object.keys(first.entries).sort(), [...types].sort());
  const german = first.all('posts', 'de');
  assert.ok(german.length > 0 && german.length < first.entries.posts.length);
  const found = first.get('posts', post, 'de');
  assert.equal(found.locale, 'de');
  assert.equal(first.get('posts', found.id, 'de'), found);
  // A type without locales is the same in all of them; the others are not mixed.
  assert.equal(first.get('authors', found.data.author, 'de').type, 'authors');
  assert.equal(first.get('posts', post, 'fr'), undefined);
  assert.equal(first.get('authors', null), undefined);
  const made = await write('POST', 'topics', { title: 'Felt', status: 'published' });
  assert.equal((await load()).get('topics', made.id, 'en').title, 'Felt');
  await write('DELETE', `topics/${made.id}`);
  // The next build is another program.
  assert.equal((await rectoData({ url, types, file, fetch: counting })()).get('topics', made.id, 'en'), undefined);
  assert.deepEqual(requests, ['bundle', 'sync', 'sync']);
  // The copy of other types, or one that is broken off, is not taken up.
  await rectoData({ url, types: ['posts'], file, fetch: counting })();
  writeFileSync(file, readFileSync(file, 'utf8').slice(0, 1000));
  await rectoData({ url, types: ['posts'], file, fetch: counting })();
  assert.deepEqual(requests.slice(3), ['bundle', 'bundle']);
});

test('gives Next its content, which one process asks for', async () => {
  const { requests, counting } = countingFetch();
  const [send, place] = [globalThis.fetch, process.cwd()];
  globalThis.fetch = counting;
  process.chdir(folder);
  try {
    await assert.rejects(getContent(), /withRecto/);
    const config = { output: 'export' };
    const configure = () => withRecto({ url }, config);
    assert.equal(await configure()('phase-production-build'), config);
    assert.deepEqual(requests, ['bundle']);
    // The processes that make pages read the configuration, too.
    await configure()('phase-production-build');
    const { all, get } = await getContent();
    assert.ok(all('posts', 'de').length > 0);
    assert.equal(get('posts', post, 'en').slug, post);
    assert.deepEqual(requests, ['bundle']);
    delete process.env.RECTO_NEXT;
    await configure()('phase-production-build');
    assert.deepEqual(requests, ['bundle', 'sync']);
    // While developing, each page shows what is there now, and asks once.
    delete process.env.RECTO_NEXT;
    await configure()('phase-development-server');
    await Promise.all([getContent(), getContent()]);
    await getContent();
    assert.deepEqual(requests, ['bundle', 'sync', 'sync', 'sync']);
  } finally {
    delete process.env.RECTO_NEXT;
    process.chdir(place);
    globalThis.fetch = send;
  }
});

test('links to entries lead to their pages', () => {
  const pages = { 'posts/01a': '/blog/one' };
  const text = resolveLinks('[a](recto:posts/01a#top) [b](recto:posts/02b) xrecto:posts/01a', (type, id) => pages[`${type}/${id}`]);
  assert.equal(text, '[a](/blog/one#top) [b](#) xrecto:posts/01a');
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
  const cropped = image({ ...whole, crop: [0, 0, 1, 0.5], variants: [{ width: 64, height: 24 }] });
  assert.deepEqual([cropped.width, cropped.height], [64, 24]);
  assert.deepEqual(image({ url: '/a.svg' }), { src: '/a.svg', alt: '', loading: 'lazy' });
});

test('is small', () => {
  const entry = fileURLToPath(new URL('../dist/index.js', import.meta.url));
  const built = buildSync({ entryPoints: [entry], bundle: true, minify: true, format: 'esm', write: false });
  const bytes = brotliCompressSync(built.outputFiles[0].contents).length;
  assert.ok(bytes <= 4096, `${bytes} bytes`);
});
